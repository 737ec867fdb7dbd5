//! A function that refuses values cannot be unsafe.
use ecs::prelude::*;

#[derive(Component, Reflect)]
#[reflect(check = is_valid)]
struct Health {
    now: i32,
}

unsafe fn is_valid(_: &Health) -> Result<(), &'static str> {
    Ok(())
}

fn main() {}
