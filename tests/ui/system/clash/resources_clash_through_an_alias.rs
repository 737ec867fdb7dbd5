//! A resource that is written twice, once under another name.
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Clock(f32);
type Time<'w> = ResMut<'w, Clock>;

world! {
    struct Game { resources { clock: Clock = Clock::default() } }
    schedule tick { advance }
}

#[system(Game)]
fn advance(mut clock: ResMut<Clock>, mut time: Time<'_>) {
    std::mem::swap(&mut *clock, &mut *time);
}

fn main() {}
