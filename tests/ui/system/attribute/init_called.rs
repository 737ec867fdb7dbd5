//! A function behind `init` that is called instead of named.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick { movement }
}

fn setup(world: &mut Game) {
    world.spawn(Position(0.0));
}

#[system(Game, init = setup())]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
