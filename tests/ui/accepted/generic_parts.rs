//! Generic parts of another crate, changed entries, and blocks between systems, in a crate that denies all warnings and whose names are
//! close to those of the expansions.
#![deny(warnings, missing_docs, unused_qualifications, clippy::pedantic)]
#![allow(clippy::missing_panics_doc)]
#![forbid(unsafe_code)]
use ecs::prelude::*;
use parts_library::pool::{Supply, pool, refill};

/// An argument with the name of a parameter.
pub struct T;
/// A value with the name of a type parameter of the expansion.
pub struct W;

impl Supply for T {
    const GAIN: u32 = 1;
}

impl Supply for W {
    const GAIN: u32 = 2;
}

mod own {
    use ecs::prelude::*;

    /// A pair.
    #[derive(Component, Debug)]
    pub struct Pair<A: Send + Sync + 'static, W: Send + Sync + 'static>(pub A, pub W);

    parts! {
        /// Pairs.
        pub pairs<A, W: Default> where A: Send + Sync + 'static, W: Send + Sync + 'static {
            include parts_library::shared::travelling { bounces as jumps };
            needs parts_library::fire::fire;
            components { Pair<A, W> }
            schedule clear_all { clear::<A, W> }
        }
    }

    /// Resets the pairs.
    #[system]
    pub fn clear<A: Send + Sync + 'static, W: Default + Send + Sync + 'static>(pair: &mut Pair<A, W>) {
        pair.1 = W::default();
    }
}

world! {
    /// A world.
    pub struct Game {
        include own::pairs::<u8, Vec<T>> as pairs { Bumped(external), jumps = parts_library::Bounces(2) };
        include parts_library::fire::fire;
        include pool::<T> as t;
        include pool::<W, { 1 + 1 }> as w { limit as most = parts_library::pool::Limit(5, std::marker::PhantomData) };
        #[cfg(any())]
        include nowhere::parts;
    }
    /// Runs.
    schedule tick {
        include own::clear_all::<u8, Vec<T>>, include refill::<T> { before grow { idle } },
        include refill::<W, { 1 + 1 }>
    }
}

#[system(Game)]
fn idle() {}

/// Runs once.
pub fn main() {
    let mut game = Game::new();
    let one = game.spawn((own::Pair(1_u8, vec![T]), parts_library::pool::Pool::<W>::of(4)));
    game.tick();
    assert_eq!(game.get::<own::Pair<u8, Vec<T>>>(one).map(|pair| pair.1.len()), Some(0));
    assert_eq!(game.get::<parts_library::pool::Pool<W>>(one).map(|pool| pool.now), Some(5));
    assert_eq!(game.columns().w_pool.len(), 1);
    assert_eq!(game.drain::<parts_library::Bumped>().count(), 0);
}
