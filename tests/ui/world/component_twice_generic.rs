//! An instance of a generic component that is listed twice.
use ecs::prelude::*;

#[derive(Component)]
struct Timer<T>(f32, T);

#[derive(Clone, Copy)]
struct Fire;

type FireTimer = Timer<Fire>;

world! {
    struct Game {
        components { burning: Timer<Fire>, FireTimer }
    }
}

fn main() {}
