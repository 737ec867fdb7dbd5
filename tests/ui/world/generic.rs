//! A world with a type parameter.
use ecs::prelude::*;

#[derive(Component)]
struct Timer<T>(f32, T);

world! {
    struct Game<T> {
        components { Timer<u8> }
    }
}

fn main() {}
