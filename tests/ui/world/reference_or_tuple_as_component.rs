//! References, tuples and arrays are no components, with a field name or without one.
use ecs::prelude::*;

#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { at: (f32, f32), velocity: &'static Velocity, name: [u8; 8] }
        resources { seed: [u64; 4] = [0; 4] }
    }
}

fn main() {}
