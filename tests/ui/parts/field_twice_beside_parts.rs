//! The world gives a field a name that the parts use.
use ecs::prelude::*;

#[derive(Component)]
struct Speed(f32);

world! {
    struct Game {
        include parts_library::physics;
        components { velocity: Speed }
    }
}

fn main() {}
