//! Parts with a lifetime.
use ecs::prelude::*;

#[derive(Component)]
pub struct Pool(u32);

parts! {
    pub pool<'a> {
        components { Pool }
    }
}

fn main() {}
