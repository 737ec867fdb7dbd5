//! Methods that readers and writers of events have in bevy.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game {
        events { Bumped }
    }
    schedule tick { bump, hear }
}

#[system(Game)]
fn bump(mut bumps: EventWriter<Bumped>) {
    bumps.write(Bumped(1));
    bumps.send_batch([Bumped(2)]);
}

#[system(Game)]
fn hear(mut bumps: EventReader<Bumped>) {
    for bump in bumps.read() {
        println!("{}", bump.0);
    }
    let last = bumps.drain().last().map(|bump| bump.0);
    println!("{last:?}");
}

fn main() {}
