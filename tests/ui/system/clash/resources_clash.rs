//! A resource that is read and written.
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Clock(f32);

world! {
    struct Game { resources { clock: Clock = Clock::default() } }
    schedule tick { advance }
}

#[system(Game)]
fn advance(mut clock: ResMut<Clock>, before: Res<Clock>) {
    clock.0 += before.0;
}

fn main() {}
