//! A component that borrows, in the list of a world.
use ecs::prelude::*;

#[derive(Component)]
struct Name(String);

struct Label<'a>(&'a str);

world! {
    struct Game {
        components { Name, Label }
    }
}

fn main() {}
