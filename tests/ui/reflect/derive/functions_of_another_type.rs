//! Functions of options that do not have the type of the option.
use ecs::prelude::*;

#[derive(Component, Reflect)]
#[reflect(check = is_valid)]
struct Health {
    #[reflect(default = full)]
    now: i32,
}

fn is_valid(health: &Health) -> bool {
    health.now > 0
}

fn full() -> f32 {
    100.0
}

fn main() {}
