//! A function that makes a default value cannot be unsafe.
use ecs::prelude::*;

#[derive(Component, Reflect)]
struct Health {
    #[reflect(default = full)]
    now: i32,
}

unsafe fn full() -> i32 {
    100
}

fn main() {}
