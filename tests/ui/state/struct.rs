//! The derive on a struct.
use ecs::prelude::*;

#[derive(States)]
struct Level(u32);

fn main() {}
