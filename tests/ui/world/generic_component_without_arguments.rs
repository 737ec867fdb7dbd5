//! A generic component without its arguments.
use ecs::prelude::*;

#[derive(Component)]
struct Timer<T>(f32, T);

world! {
    struct Game {
        components { Timer }
    }
}

fn main() {}
