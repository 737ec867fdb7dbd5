//! What is not saved has no old name.
use ecs::prelude::*;

#[derive(Resource)]
#[resource(skip, alias = "Screen")]
struct Window;

fn main() {}
