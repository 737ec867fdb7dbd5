//! `derive(Resource)` has no options but the library's path.
use ecs::prelude::*;

#[derive(Resource)]
#[resource(default)]
struct Score(u32);

fn main() {}
