//! A component whose alignment is larger than that of any data in a world.
use ecs::prelude::*;

#[derive(Component)]
#[repr(align(1024))]
struct Page([u8; 1024]);

#[derive(Component)]
#[repr(align(2048))]
struct LargePage([u8; 2048]);

world! {
    struct Disk {
        components { Page, LargePage }
    }
}

fn main() {}
