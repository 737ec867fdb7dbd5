//! A resource that the world does not have.
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Clock(f32);

world! {
    struct Game {}
    schedule tick { advance }
}

#[system(Game)]
fn advance(mut clock: ResMut<Clock>) {
    clock.0 += 0.125;
}

fn main() {}
