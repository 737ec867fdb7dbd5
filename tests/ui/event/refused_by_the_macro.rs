//! Several mistakes of one kind (event) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);
#[derive(Event)]
struct Said<'a>(&'a str);

world! {
    struct Game { events { Bumped(external = true, keep = 64) } }
    schedule tick { bump; }
}

// A value behind an option that has none.
#[system(Game)]
fn bump(mut bumped: EventWriter<Bumped>) {
    bumped.send(Bumped(1));
}

fn main() {}
