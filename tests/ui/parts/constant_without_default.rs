//! A constant without a default.
use ecs::prelude::*;

#[derive(Component)]
pub struct Slots<const N: usize>([u8; N]);

parts! {
    pub slots<const N: usize> {
        components { Slots<N> }
    }
}

fn main() {}
