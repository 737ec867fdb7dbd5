//! A system of a module that does not make it public.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick {
        motion::movement;
    }
}

mod motion {
    use super::*;

    #[system(Game)]
    fn movement(position: &mut Position) {
        position.0 += 1.0;
    }
}

fn main() {}
