//! An event that one schedule writes and another one reads; a single system may do both.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game {
        events { Bumped }
    }
    schedule tick {
        bump;
    }
    schedule draw {
        score;
    }
}

#[system(Game)]
fn bump(mut bumped: EventWriter<Bumped>, mut seen: EventReader<Bumped>) {
    bumped.send(Bumped(seen.iter().count() as u32));
}

#[system(Game)]
fn score(mut bumped: EventReader<Bumped>) {
    for bump in bumped.iter() {
        println!("{}", bump.0);
    }
}

pub fn main() {}
