//! A first value of another type, in a world that is saved: one error, although two functions make the world.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Resource, Clone, Serialize, Deserialize)]
struct Weather(u32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        resources { Weather = 0 }
    }
}

fn main() {}
