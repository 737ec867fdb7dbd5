//! Several mistakes of one kind (schedule) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Timer<T>(f32, T);
#[derive(Clone, Copy)]
struct Fire;
#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { burning: Timer<Fire>, Position } }
    schedule tick { count; }
    schedule imported_function_without_system_tick { motion::movement; }
}

// A generic system without its arguments.
#[system]
fn count<T: Send + Sync + 'static>(timer: &mut Timer<T>) {
    timer.0 -= 1.0;
}

// A schedule with a function of another module that lacks `#[system]`.
mod motion {
    use super::Position;

    pub fn movement(position: &mut Position) {
        position.0 += 1.0;
    }
}

fn main() {}
