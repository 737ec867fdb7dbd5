//! A function with `#[target_feature]`, which is not safe to call.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
#[target_feature(enable = "avx2")]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
