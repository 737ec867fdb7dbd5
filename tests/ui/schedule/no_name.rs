//! Steps that are no name of a system: a closure, a string, a condition, and a tuple.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
    schedule one { movement, |velocity: &mut Velocity| velocity.0 = 1.0 }
    schedule two { "movement"; steer }
    schedule three { if paused { movement }; steer }
    schedule four { (steer, movement).chain() }
}

#[system(Game)]
fn movement(position: &mut Position) {}
#[system(Game)]
fn steer(velocity: &mut Velocity) {}
#[system(Game)]
fn paused(positions: Query<&Position>) -> bool {
    positions.is_empty()
}
#[system(Game)]
fn lost(velocities: Query<&Velocity>) -> bool {
    velocities.is_empty()
}

fn main() {}
