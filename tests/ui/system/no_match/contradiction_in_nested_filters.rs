//! A query with a nested filter that excludes a component of another filter.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Position, Velocity, Frozen }
    }
}

#[system(Game)]
fn movement(mut bodies: Query<&mut Position, (With<Frozen>, Not<Or<(With<Velocity>, With<Frozen>)>>)>) {
    bodies.for_each(|position| position.0 += 1.0);
}

fn main() {}
