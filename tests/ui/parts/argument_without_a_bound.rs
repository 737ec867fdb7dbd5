//! An argument that does not fulfil the bound of the parameter.
use ecs::prelude::*;

struct Mana;

world! {
    struct Game {
        include parts_library::pool::pool::<Mana>;
    }
}

fn main() {}
