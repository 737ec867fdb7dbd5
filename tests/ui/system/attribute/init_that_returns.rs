//! A function behind `init` that returns something.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick { movement }
}

fn setup(world: &mut Game) -> Entity {
    world.spawn(Position(0.0))
}

#[system(Game, init = setup)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
