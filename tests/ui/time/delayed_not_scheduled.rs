//! Delayed events and commands that no schedule sends and applies.
use ecs::prelude::*;
use ecs::time::{Clock, Delayed, DespawnEntity};

#[derive(Event)]
struct Explodes;

world! {
    struct Game {
        resources {
            Clock = Clock::new(),
            explosions: Delayed<Explodes> = Delayed::new(),
            ends: Delayed<DespawnEntity> = Delayed::new(),
        }
        events { Explodes(external) }
    }
    schedule frame { plan }
}

#[system]
fn plan(mut explosions: ResMut<Delayed<Explodes>>, mut ends: ResMut<Delayed<DespawnEntity>>) {
    explosions.retain(|_, _| true);
    ends.retain(|_, _| true);
}

fn main() {}
