//! Events that are written or read outside of the schedules.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);
#[derive(Event)]
struct Fell(u32);

world! {
    struct Game {
        events { Bumped(external), Fell(external) }
    }
    schedule tick {
        bump, fall;
    }
}

#[system(Game)]
fn bump(mut bumped: EventWriter<Bumped>) {
    bumped.send(Bumped(1));
}

#[system(Game)]
fn fall(mut fell: EventReader<Fell>) {
    for fall in fell.iter() {
        println!("{}", fall.0);
    }
}

pub fn main() {}
