//! Types whose fields cannot be borrowed.
use ecs::prelude::*;

#[derive(Component, Reflect)]
#[repr(C, packed)]
struct Header {
    kind: u8,
    len: u32,
}

#[derive(Reflect)]
union Number {
    int: u32,
    float: f32,
}

fn main() {}
