//! A type that does not exist, as an argument of a parameter: one error for each.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { movement, drag }
}

#[system(Game)]
fn movement(mut bodies: Query<(&mut Positon, &Velocity)>) {
    for (position, velocity) in &mut bodies {
        position.0 += velocity.0;
    }
}

#[system(Game)]
fn drag(velocity: &mut Velocity, _: With<Player>) {
    velocity.0 *= 0.9;
}

fn main() {}
