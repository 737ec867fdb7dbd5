//! Attributes of serde on a type that derives `Reflect`.
use ecs::prelude::*;

#[derive(Component, Reflect)]
#[serde(deny_unknown_fields)]
struct Health {
    #[serde(rename = "value")]
    now: i32,
    #[serde(default = "full")]
    max: i32,
}

fn full() -> i32 {
    100
}

fn main() {}
