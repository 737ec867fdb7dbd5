//! An enum without variants.
use ecs::prelude::*;

#[derive(States)]
enum Phase {}

fn main() {}
