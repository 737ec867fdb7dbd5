//! Several mistakes of one kind (parts) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);
pub trait Supply: Send + Sync + 'static {}
#[derive(Component)]
pub struct Pool<T: Supply>(u32, T);

// A schedule with the name of the parts.
parts! {
    physics {
        components { Position, Velocity }
        schedule physics { movement }
    }
}

#[system]
pub fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

// A parameter with a bound of the library and without a default.
parts! {
    pub pool<T: Supply> {
        components { Pool<T> }
    }
}

fn main() {}
