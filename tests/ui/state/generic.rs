//! States with a parameter.
use ecs::prelude::*;

#[derive(States)]
enum Phase<const N: usize> {
    Menu,
    Play,
}

fn main() {}
