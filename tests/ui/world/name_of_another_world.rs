//! A world that another crate has is not extended.
use ecs::prelude::*;
use std::process::Command as Game;

#[derive(Component)]
struct Bee;

world! {
    struct Game { components { Bee } }
}

fn main() {}
