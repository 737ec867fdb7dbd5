//! An enum whose name is its own snake case.
use ecs::prelude::*;

#[derive(States)]
#[allow(non_camel_case_types)]
enum phase {
    Menu,
    Play,
}

fn main() {}
