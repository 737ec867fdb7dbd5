//! A method as a system.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

struct Physics {
    step: f32,
}

impl Physics {
    #[system(Game)]
    fn movement(&self, position: &mut Position) {
        position.0 += self.step;
    }
}

fn main() {}
