//! A resource that borrows.
use ecs::prelude::*;

#[derive(Resource)]
struct Level<'a> {
    map: &'a [u8],
}

fn main() {}
