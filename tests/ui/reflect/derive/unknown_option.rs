//! Options that are misspelt, or belong to another place.
use ecs::prelude::*;

#[derive(Component, Reflect)]
#[reflect(skip)]
struct Health {
    #[reflect(defualt)]
    now: i32,
    #[reflect(check = is_valid)]
    max: i32,
}

#[derive(Reflect)]
enum Mood {
    #[reflect(skip)]
    Happy,
    #[reflect(rename = Low)]
    Sad,
}

fn main() {}
