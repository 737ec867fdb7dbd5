//! Several mistakes of one kind (event) in one program.
use ecs::prelude::*;
use std::rc::Rc;

#[derive(Event)]
struct Bumped(u32);
#[derive(Event)]
struct Said(Rc<str>);

world! {
    struct Game { events { Bumped(external, keep = 64, full = newst), Said(external) } }
    schedule tick { bump; }
}

// A word behind `full` that is none of the three.
#[system(Game)]
fn bump(mut bumped: EventWriter<Bumped>) {
    bumped.send(Bumped(1));
}

fn main() {}
