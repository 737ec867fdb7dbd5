//! `repr(packed)` on a world, whose fields are borrowed.

use ecs::prelude::*;

#[derive(Resource)]
struct Small(u8);
#[derive(Resource)]
struct Large(u64);

world! {
    #[repr(C, packed)]
    struct Game {
        resources { small: Small, large: Large }
    }
}

fn main() {}
