//! Several mistakes of one kind (system, no match) in one program: constants refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;
type Moving = (With<Velocity>, Without<Position>);

world! {
    struct Game { components { Position, Velocity, Frozen } }
    schedule tick {
        movement, contradiction_in_a_query, contradiction_in_nested_filters,
        contradiction_of_alternatives, fall, contradiction_of_two_filters,
        contradiction_through_an_alias
    }
}

// A per-entity system with a filter that excludes a component of its elements.
#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity, _: Without<Velocity>) {
    position.0 += velocity.0;
}

// A query with a filter that excludes a component of its data.
#[system(Game)]
fn contradiction_in_a_query(mut bodies: Query<(&mut Position, &Velocity), Without<Velocity>>) {
    bodies.for_each(|(position, velocity)| position.0 += velocity.0);
}

// A query with a nested filter that excludes a component of another filter.
#[system(Game)]
fn contradiction_in_nested_filters(mut bodies: Query<&mut Position, (With<Frozen>, Not<Or<(With<Velocity>, With<Frozen>)>>)>) {
    bodies.for_each(|position| position.0 += 1.0);
}

// Filters with an `Or` whose alternatives are all excluded by another filter: in a query, and of a
// per-entity system.
#[system(Game)]
fn contradiction_of_alternatives(
    mut bodies: Query<&mut Position, (Or<(With<Velocity>, With<Frozen>)>, Without<Velocity>, Without<Frozen>)>,
) {
    bodies.for_each(|position| position.0 += 1.0);
}

#[system(Game)]
fn fall(position: &mut Position, velocity: &Velocity, _: Not<And<(With<Position>, With<Velocity>)>>) {
    position.0 += velocity.0;
}

// A per-entity system with two filters that exclude each other.
#[system(Game)]
fn contradiction_of_two_filters(position: &mut Position, _: With<Frozen>, _: Without<Frozen>) {
    position.0 += 1.0;
}

// A query with a filter behind an alias that excludes a component of its data.
#[system(Game)]
fn contradiction_through_an_alias(mut bodies: Query<&mut Position, Moving>) {
    bodies.for_each(|position| position.0 += 1.0);
}

fn main() {}
