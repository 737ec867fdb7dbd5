//! An older type that nothing is made of.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct OldPosition(f32);

#[derive(Component, Serialize, Deserialize)]
#[component(from = OldPosition)]
struct Position(f32, f32);

fn main() {}
