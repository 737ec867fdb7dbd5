//! Values where types are listed.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource, Default)]
struct Clock {
    step: f32,
}
#[derive(Resource, Default)]
struct Paused(bool);

world! {
    struct Game {
        components { Position(0.0), velocity: Velocity }
        resources { clock: Clock::default(), paused: Paused(false) }
    }
    schedule tick { movement, advance }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

#[system(Game)]
fn advance(mut clock: ResMut<Clock>, paused: Res<Paused>) {
    clock.step += if paused.0 { 0.0 } else { 1.0 };
}

fn main() {}
