//! A derive that worlds do not take.
use ecs::prelude::*;

#[derive(Component, Clone)]
struct Position(f32);

world! {
    #[derive(Clone, Debug)]
    struct Game {
        components { Position }
    }
}

fn main() {}
