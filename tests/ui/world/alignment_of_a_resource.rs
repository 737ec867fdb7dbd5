//! A resource whose alignment is larger than that of any data in a world.
use ecs::prelude::*;

#[derive(Resource, Default)]
#[repr(align(4096))]
struct Buffer(u64);

world! {
    struct Disk {
        resources { Buffer }
    }
}

fn main() {}
