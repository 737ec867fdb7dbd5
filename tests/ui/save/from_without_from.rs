//! An older type without `From` for the component.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct OldPosition(f32);

#[derive(Component, Serialize, Deserialize)]
#[component(from = OldPosition)]
struct Position(f32, f32);

fn main() {}
