//! `alias` beside `skip`.
use ecs::prelude::*;

#[derive(Resource)]
#[resource(skip, alias = "Screen")]
struct Window;

fn main() {}
