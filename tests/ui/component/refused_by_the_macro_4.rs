//! Several mistakes of one kind (component) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(index)]
struct Frozen;
#[derive(Component, Default)]
struct Velocity(f32);
#[derive(Component)]
#[component(requires = Velocity)]
struct Position(f32);
#[derive(Component)]
#[component(storage)]
struct Burning(u32);

fn main() {}
