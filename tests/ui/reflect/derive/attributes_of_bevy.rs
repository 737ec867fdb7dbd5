//! Attributes of bevy on a type that derives `Reflect`.
use ecs::prelude::*;

#[derive(Component, Reflect, Default)]
#[reflect(Component, Default)]
struct Health {
    now: i32,
    #[reflect(ignore)]
    shown: i32,
}

#[derive(Reflect)]
#[reflect(Serialize, Deserialize)]
struct Name(String);

fn main() {}
