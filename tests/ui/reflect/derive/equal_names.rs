//! Two fields, and two variants, that would have one name in files.
use ecs::prelude::*;

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

fn main() {}
