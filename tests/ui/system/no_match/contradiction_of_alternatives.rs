//! Filters with an `Or` whose alternatives are all excluded by another filter: in a query, and of a per-entity system.
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
fn movement(
    mut bodies: Query<&mut Position, (Or<(With<Velocity>, With<Frozen>)>, Without<Velocity>, Without<Frozen>)>,
) {
    bodies.for_each(|position| position.0 += 1.0);
}

#[system(Game)]
fn fall(position: &mut Position, velocity: &Velocity, _: Not<And<(With<Position>, With<Velocity>)>>) {
    position.0 += velocity.0;
}

fn main() {}
