//! Options `disables` with an empty list, and with a value.
use ecs::prelude::*;

#[derive(Component)]
#[component(disables())]
struct Stunned;

#[derive(Component)]
#[component(disables = Velocity)]
struct Asleep;

fn main() {}
