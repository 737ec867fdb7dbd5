//! An alias of a resource parameter that the world does not have.
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Clock(f32);
type Time<'w> = Res<'w, Clock>;

world! {
    struct Game {}
    schedule tick { show }
}

#[system(Game)]
fn show(clock: Time<'_>) {
    println!("{}", clock.0);
}

fn main() {}
