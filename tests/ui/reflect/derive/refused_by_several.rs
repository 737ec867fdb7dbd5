//! Several mistakes of one kind (reflect, derive) in one program.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Reflect)]
#[reflect(check = is_valid)]
struct Health {
    #[reflect(default = full)]
    now: i32,
}
struct Sprite(u32);
#[derive(Component, Reflect)]
struct Look {
    sprite: Sprite,
    frames: Vec<u32>,
}
struct Fire;
#[derive(Component, Reflect)]
struct Resistance<T> {
    to: T,
    amount: f32,
}
struct Handle(u32);
#[derive(Component, Reflect)]
struct Sound {
    volume: f32,
    #[reflect(skip)]
    handle: Handle,
}
#[derive(Component, Reflect)]
#[reflect(check = unsafe_check_is_valid)]
struct UnsafeCheck {
    now: i32,
}
#[derive(Component, Reflect)]
struct UnsafeDefault {
    #[reflect(default = unsafe_default_full)]
    now: i32,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Game { components { Resistance<Fire> } }
}

// Functions of options that do not have the type of the option.
fn is_valid(health: &Health) -> bool {
    health.now > 0
}

fn full() -> f32 {
    100.0
}

// A function that refuses values cannot be unsafe.
unsafe fn unsafe_check_is_valid(_: &UnsafeCheck) -> Result<(), &'static str> {
    Ok(())
}

// A function that makes a default value cannot be unsafe.
unsafe fn unsafe_default_full() -> i32 {
    100
}

fn main() {}
