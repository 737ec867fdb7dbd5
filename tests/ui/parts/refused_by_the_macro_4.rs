//! Several mistakes of one kind (parts) in one program: the macros report them.
use ecs::prelude::*;
use std::marker::PhantomData;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);
#[derive(Component)]
pub struct Pool<T: Send + Sync + 'static>(pub u32, PhantomData<T>);
struct Mana;

world! {
    struct Game { include pool::<Mana>; }
    schedule tick { include fill::<Mana> }
}

// A comma is missing.
parts! {
    physics {
        components { Position Velocity }
    }
}

// Generic parts whose parameter has no bound.
parts! {
    pub pool<T> {
        components { Pool<T> }
        schedule fill { grow::<T> }
    }
}

#[system]
pub fn grow<T: Send + Sync + 'static>(pool: &mut Pool<T>) {
    pool.0 += 1;
}

fn parameter_without_a_bound() {
    Game::new().tick();
}

fn main() {}
