//! One instance of generic parts twice.
use ecs::prelude::*;

use parts_library::pool::{Stamina, pool};

world! {
    struct Game {
        include pool::<Stamina> as first;
        include pool::<Stamina> as second;
    }
}

fn main() {}
