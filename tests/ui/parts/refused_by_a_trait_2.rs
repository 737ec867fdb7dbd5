//! Several mistakes of one kind (parts) in one program: traits refuse them.
use ecs::prelude::*;
use parts_library::pool::{Supply, pool};
use parts_library::shared::walking;

struct Stamina;
impl Supply for Stamina {
    const GAIN: u32 = 1;
}
struct Position(f32);

world! {
    struct Game {
        include walking;
        include pool::<Stamina>;
    }
}

// A listed type that is no component.
parts! {
    physics {
        components { Position }
    }
}

fn main() {}
