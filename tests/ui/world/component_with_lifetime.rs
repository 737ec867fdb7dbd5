//! A component that borrows, in the list of a world.
use ecs::prelude::*;

#[derive(Component)]
struct Name<'a>(&'a str);

world! {
    struct Game {
        components { Name }
    }
}

fn main() {}
