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

world! {
    struct SkipUnknownGame { events { Bumped(external, skip = drop) } }
    schedule tick { skip_unknown; }
}

// A value behind an option that has none.
#[system(Game)]
fn bump(mut bumped: EventWriter<Bumped>) {
    bumped.send(Bumped(1));
}

// A word behind `skip` that is neither `clear` nor `keep`.
#[system(SkipUnknownGame)]
fn skip_unknown(mut bumped: EventWriter<Bumped>) {
    bumped.send(Bumped(1));
}

fn main() {}
