//! The whole world beside a resource.
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Clock(f32);

world! {
    struct Game { resources { clock: Clock = Clock::default() } }
    schedule tick { reset }
}

#[system(Game)]
fn reset(clock: Res<Clock>, game: &mut Game) {
    game.clear();
    println!("{}", clock.0);
}

fn main() {}
