//! A component without `Default`, for which the aspect says nothing.
use ecs::prelude::*;

#[derive(Component)]
struct Name(String);

#[derive(Aspect)]
struct Monster {
    name: Name,
}

fn main() {}
