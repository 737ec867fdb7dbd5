//! A world that is saved, in a module that does not import what it derives.
use ecs::prelude::*;

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {}
}

fn main() {}
