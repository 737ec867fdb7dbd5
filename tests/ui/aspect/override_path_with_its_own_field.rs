//! An override that begins with the name of its field.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health {
    max: u32,
}
#[derive(Component, Default)]
struct Position(f32);

#[derive(Aspect)]
struct Monster {
    #[aspect(health.max = 9)]
    health: Health,
    position: Position,
}

fn main() {}
