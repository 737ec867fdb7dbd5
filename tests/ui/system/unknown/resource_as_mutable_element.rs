//! A resource by mutable reference, in place of `ResMut`.
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Clock(f32);

world! {
    struct Game { resources { clock: Clock = Clock::default() } }
    schedule tick { advance }
}

#[system(Game)]
fn advance(clock: &mut Clock) {
    clock.0 += 0.125;
}

fn main() {}
