//! A world with `Clone` whose component has none.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    #[derive(Clone)]
    struct Game {
        components { Position }
    }
}

fn main() {}
