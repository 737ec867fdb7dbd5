//! Several mistakes of one kind (event) in one program: constants refuse them.
use ecs::prelude::*;
use std::marker::PhantomData;

trait Kind: Send + Sync + 'static {
    const LEVELS: &'static [u8];
}
#[derive(Event)]
#[event(check = mistake(K::LEVELS))]
struct Reached<K: Kind>(PhantomData<K>);
struct Fire;
impl Kind for Fire {
    const LEVELS: &'static [u8] = &[];
}
#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game { events { fire: Reached<Fire>(external), Bumped } }
    schedule tick { score; }
}

// A generic event of a library, whose check finds a mistake in the type that a world gives.
const fn mistake(levels: &[u8]) -> Option<&'static str> {
    if levels.is_empty() { Some("`Kind::LEVELS` is empty: list one level at least") } else { None }
}

// An event that a schedule reads and no schedule writes.
#[system(Game)]
fn score(mut bumped: EventReader<Bumped>) {
    for bump in bumped.iter() {
        println!("{}", bump.0);
    }
}

fn main() {}
