//! A listed type that is no component.
use ecs::prelude::*;

struct Position(f32);

parts! {
    physics {
        components { Position }
    }
}

fn main() {}
