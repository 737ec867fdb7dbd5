//! A system is called with a query for its elements.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { movement, twice }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

#[system(Game)]
fn twice(mut bodies: Query<(&mut Position, &Velocity)>) {
    for _ in 0..2 {
        movement(&mut bodies);
    }
}

fn main() {
    Game::new().tick();
}
