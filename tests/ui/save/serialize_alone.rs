//! A world that could be saved, and not loaded.
use ecs::prelude::*;

world! {
    #[derive(Clone, serde::Serialize)]
    struct Game {}
}

fn main() {}
