//! Several mistakes of one kind (param set) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);
#[derive(Component)]
struct Armor(f32);

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock }
    }
    schedule tick {
        suffer, no_such_query, alone, one, listed, resource, elements, wrong_query, two_at_once,
        unknown_component
    }
}

// Another parameter clashes with a query of the set.
#[system(Game)]
fn suffer(mut set: ParamSet<(Query<&Velocity>, Query<&mut Position>)>, bodies: Query<&Position>) {
    set.p1().for_each(|position| position.0 += bodies.len() as f32);
}

// A query that the set does not have.
#[system(Game)]
fn no_such_query(mut set: ParamSet<(Query<&Position>, Query<&mut Position>)>) {
    set.p2().for_each(|position| position.0 += 1.0);
}

// Sets of something else than two to eight queries.
#[system(Game)]
fn alone(mut set: ParamSet<Query<&mut Position>>) {}

#[system(Game)]
fn one(mut set: ParamSet<(Query<&mut Position>,)>) {}

#[system(Game)]
fn listed(mut set: ParamSet<Query<&mut Position>, Query<&Position>>) {}

#[system(Game)]
fn resource(mut set: ParamSet<(Query<&mut Position>, ResMut<Clock>)>) {}

#[system(Game)]
fn elements(mut set: ParamSet<(&mut Position, Query<&Position>)>) {}

#[system(Game)]
fn wrong_query(mut set: ParamSet<(Query<&mut Position>, Query<With<Velocity>>)>) {}

// Two queries of a set at the same time.
#[system(Game)]
fn two_at_once(mut set: ParamSet<(Query<&Position>, Query<&mut Position>)>) {
    let positions = set.p0();
    set.p1().for_each(|position| position.0 += positions.len() as f32);
}

// A query of the set asks for a component that the world does not have.
#[system(Game)]
fn unknown_component(mut set: ParamSet<(Query<&Position>, Query<(&mut Position, &Armor)>)>) {
    set.p1().for_each(|(position, armor)| position.0 += armor.0);
}

fn main() {}
