use ecs::prelude::*;
use ecs::time::{Clock, Delayed, apply_due};

#[derive(Event)]
struct Explodes;

world! {
    struct Game {
        resources { Clock = Clock::new(), Delayed<Explodes> = Delayed::new() }
        events { Explodes(external) }
    }
    schedule frame { apply_due::<Explodes, ()> }
}

fn main() {}
