//! A component without `Default`, and without a `default` in the aspect.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component)]
struct Name(String);

#[derive(Aspect)]
struct Monster {
    name: Name,
}

fn main() {}
