//! `#[cfg]` on a section, not on its entries.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        #[cfg(debug_assertions)]
        components { Position }
    }
    schedule tick {
        #[cfg(debug_assertions)]
        react { movement } max 2;
    }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
