//! `Serialize` without `Deserialize`.
use ecs::prelude::*;

world! {
    #[derive(Clone, serde::Serialize)]
    struct Game {}
}

fn main() {}
