//! Several mistakes of one kind (resource) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Resource)]
struct Level<'a> {
    map: &'a [u8],
}
#[derive(Resource)]
#[resource(default)]
struct Score(u32);

fn main() {}
