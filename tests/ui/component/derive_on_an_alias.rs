//! A derive on an alias is the compiler's error, and the only one.
use ecs::prelude::*;

#[derive(Component)]
type Title = String;

world! {
    struct Game { components { Title } }
}

fn main() {
    Game::new();
}
