//! A function behind `init` that takes another world.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick { movement }
}

world! {
    struct Editor {
        components { Position }
    }
}

fn setup(world: &mut Editor) {
    world.spawn(Position(0.0));
}

#[system(Game, init = setup)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
