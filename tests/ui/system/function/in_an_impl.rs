//! `#[system]` on a function of a type.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
    schedule tick {
        Physics::movement;
    }
}

struct Physics;

impl Physics {
    #[system(Game)]
    fn movement(position: &mut Position) {
        position.0 += 1.0;
    }
}

trait Falls {
    #[system]
    fn fall(velocity: &mut Velocity);
}

fn main() {}
