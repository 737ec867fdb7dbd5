//! A component without `Default`, and without a `default` in the aspect.
use ecs::prelude::*;

#[derive(Component)]
struct Name(String);

#[derive(Aspect)]
struct Monster {
    name: Name,
}

fn main() {}
