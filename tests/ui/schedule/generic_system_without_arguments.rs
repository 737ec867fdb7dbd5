//! A generic system without its arguments.
use ecs::prelude::*;

#[derive(Component)]
struct Timer<T>(f32, T);

#[derive(Clone, Copy)]
struct Fire;

world! {
    struct Game {
        components { burning: Timer<Fire> }
    }
    schedule tick {
        count;
    }
}

#[system]
fn count<T: Send + Sync + 'static>(timer: &mut Timer<T>) {
    timer.0 -= 1.0;
}

fn main() {}
