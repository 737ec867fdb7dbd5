//! A listed resource without `derive(Resource)`.
use ecs::prelude::*;

struct Clock(f32);

world! {
    struct Game {
        resources { clock: Clock }
    }
}

fn main() {}
