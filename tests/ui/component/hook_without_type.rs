//! Hooks without a type.
use ecs::prelude::*;

#[derive(Component)]
#[component(hook)]
struct Weight(u32);

#[derive(Component)]
#[component(hook(Load))]
struct Volume(u32);

fn main() {}
