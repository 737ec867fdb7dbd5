//! A generic event of a library, whose check finds a mistake in the type that a world gives.
use ecs::prelude::*;

use std::marker::PhantomData;

trait Kind: Send + Sync + 'static {
    const LEVELS: &'static [u8];
}

const fn mistake(levels: &[u8]) -> Option<&'static str> {
    if levels.is_empty() { Some("`Kind::LEVELS` is empty: list one level at least") } else { None }
}

#[derive(Event)]
#[event(check = mistake(K::LEVELS))]
struct Reached<K: Kind>(PhantomData<K>);

struct Fire;

impl Kind for Fire {
    const LEVELS: &'static [u8] = &[];
}

world! {
    struct Game {
        events { fire: Reached<Fire>(external) }
    }
}

fn main() {}
