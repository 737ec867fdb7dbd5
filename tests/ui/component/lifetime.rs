//! A component that borrows.
use ecs::prelude::*;

#[derive(Component)]
struct Name<'a>(&'a str);

fn main() {}
