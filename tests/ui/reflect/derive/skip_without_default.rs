//! A skipped field whose type has no default value.
use ecs::prelude::*;

struct Handle(u32);

#[derive(Component, Reflect)]
struct Sound {
    volume: f32,
    #[reflect(skip)]
    handle: Handle,
}

fn main() {}
