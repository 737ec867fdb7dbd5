//! An `Option` of a component by value among the elements of a query.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
    schedule tick { movement }
}

#[system(Game)]
fn movement(mut query: Query<(&mut Position, Option<Velocity>)>) {
    for (position, velocity) in &mut query {
        position.0 += velocity.map_or(0.0, |velocity| velocity.0);
    }
}

fn main() {}
