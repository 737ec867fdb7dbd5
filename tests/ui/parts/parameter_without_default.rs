//! A parameter with a bound of the library and without a default.
use ecs::prelude::*;

pub trait Supply: Send + Sync + 'static {}

#[derive(Component)]
pub struct Pool<T: Supply>(u32, T);

parts! {
    pub pool<T: Supply> {
        components { Pool<T> }
    }
}

fn main() {}
