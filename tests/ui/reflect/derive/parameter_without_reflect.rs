//! A generic component, listed with a type that has no `Reflect`.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

struct Fire;

#[derive(Component, Reflect)]
struct Resistance<T> {
    to: T,
    amount: f32,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        components { Resistance<Fire> }
    }
}

fn main() {}
