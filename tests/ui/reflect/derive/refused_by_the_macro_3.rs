//! Several mistakes of one kind (reflect, derive) in one program: the macros report them.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Reflect)]
struct Health {
    #[reflect(rename = "max")]
    now: i32,
    max: i32,
}
#[derive(Reflect)]
enum Mood {
    Happy,
    #[reflect(rename = "Happy")]
    Sad,
}
#[derive(Component, Reflect)]
struct OptionWithoutEffect {
    #[reflect(skip, rename = "shown_value")]
    shown: i32,
    #[reflect(skip, default)]
    cache: u8,
}
#[derive(Reflect)]
struct Pair(#[reflect(rename = "x")] f32, f32);
#[derive(Reflect)]
struct Meters(#[reflect(default)] f32);
#[derive(Component, Reflect)]
#[reflect(skip)]
struct UnknownOptionHealth {
    #[reflect(defualt)]
    now: i32,
    #[reflect(check = is_valid)]
    max: i32,
}
#[derive(Reflect)]
enum UnknownOptionMood {
    #[reflect(skip)]
    Happy,
    #[reflect(rename = Low)]
    Sad,
}
#[derive(Component, Reflect, Serialize, Deserialize)]
struct WithDerivesOfSerde {
    now: i32,
}

fn main() {}
