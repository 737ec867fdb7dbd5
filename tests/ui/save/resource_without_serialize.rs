//! A resource that cannot be saved, in a world that is.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Resource)]
struct Window;

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        resources { window: Window }
    }
}

fn main() {}
