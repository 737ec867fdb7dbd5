//! A closure or a text in place of the type of a hook.
use ecs::prelude::*;

#[derive(Component)]
#[component(hook = |weight| println!("{}", weight.0))]
struct Weight(u32);
#[derive(Component)]
#[component(hook = "Load")]
struct Height(u32);

fn main() {}
