//! A component that borrows.
use ecs::prelude::*;

#[derive(Component)]
struct Name<'a>(&'a str);

world! {
    struct Game {
        components { Name<'static> }
    }
}

fn main() {}
