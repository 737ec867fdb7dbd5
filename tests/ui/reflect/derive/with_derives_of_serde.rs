//! The derive implements the traits of serde itself.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Reflect, Serialize, Deserialize)]
struct Health {
    now: i32,
}

fn main() {}
