//! Times as numbers, and methods of clocks and timers in bevy.
use ecs::prelude::*;
use ecs::time::{Clock, Timer};

world! {
    struct Game { resources { Clock = Clock::new() } }
    schedule tick { wait }
}

#[system(Game)]
fn wait(clock: Res<Clock>) {
    let mut timer = Timer::once(clock.delta());
    println!("{}", clock.delta_secs() * 2.0);
    println!("{}", timer.just_finished());
}

fn main() {}
