//! Several mistakes of one kind (parts) in one program.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);

// Parts with the name of a module in the same place.
mod physics {
    #[derive(ecs::Component)]
    pub struct Position(f32);
}

parts! {
    physics {
        components { physics::Position }
    }
}

// A system that the library does not have.
parts! {
    unknown_system {
        components { Position, Velocity }
        schedule step { moovement }
    }
}

#[system]
pub fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn main() {}
