//! Several mistakes of one kind (schedule) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule imported_function_without_system_tick { motion::movement; }
}

// A schedule with a function of another module that lacks `#[system]`.
mod motion {
    use super::Position;

    pub fn movement(position: &mut Position) {
        position.0 += 1.0;
    }
}

fn main() {}
