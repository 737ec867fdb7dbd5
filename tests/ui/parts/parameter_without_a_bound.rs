//! Generic parts whose parameter has no bound.
use std::marker::PhantomData;

use ecs::prelude::*;

#[derive(Component)]
pub struct Pool<T: Send + Sync + 'static>(pub u32, PhantomData<T>);

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

struct Mana;

world! {
    struct Game {
        include pool::<Mana>;
    }
    schedule tick { include fill::<Mana> }
}

fn main() {
    Game::new().tick();
}
