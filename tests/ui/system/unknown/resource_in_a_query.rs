//! A resource in a query.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Resource, Default)]
struct Clock(f32);

world! {
    struct Game {
        components { Position }
        resources { clock: Clock = Clock::default() }
    }
    schedule tick { movement }
}

#[system(Game)]
fn movement(mut bodies: Query<(&mut Position, &Clock)>) {
    bodies.for_each(|(position, clock)| position.0 += clock.0);
}

fn main() {}
