//! Two alternatives of one component.
use ecs::prelude::*;
use ecs::MetaAspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Default)]
struct Speed(u32);

#[derive(MetaAspect)]
enum Mind {
    Strong(Health),
    Fast(Speed),
    Weak(Health),
}

fn main() {}
