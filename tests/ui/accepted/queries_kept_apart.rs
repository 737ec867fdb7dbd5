//! Two queries of one component with filters that make them disjoint.
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
fn chase(mut hunters: Query<&mut Position, With<Velocity>>, prey: Query<&Position, Without<Velocity>>) {
    hunters.for_each(|position| position.0 = prey.iter().map(|prey| prey.0).sum());
}

#[system(Game)]
fn swap(one: Query<(&mut Position, &Velocity)>, other: Query<(&mut Position, &Frozen), Without<Velocity>>) {
    println!("{} {}", one.len(), other.len());
}

#[system(Game)]
fn nested(
    one: Query<&mut Position, (With<Velocity>, With<Frozen>)>,
    other: Query<&Position, Not<Or<(With<Velocity>, With<Frozen>)>>>,
) {
    println!("{} {}", one.len(), other.len());
}

#[system(Game)]
fn alternatives(
    one: Query<&mut Position, Or<(With<Velocity>, With<Frozen>)>>,
    other: Query<&mut Position, (Without<Velocity>, Without<Frozen>)>,
) {
    println!("{} {}", one.len(), other.len());
}

#[system(Game)]
fn either_and_both(
    one: Query<(&mut Position, Option<&Frozen>), Or<(And<(With<Velocity>, Without<Frozen>)>, And<(Without<Velocity>, With<Frozen>)>)>>,
    both: Query<(&mut Position, &Velocity, &Frozen)>,
    none: Query<(&mut Position, Is<Velocity>), Not<Or<(With<Velocity>, With<Frozen>)>>>,
) {
    println!("{} {} {}", one.len(), both.len(), none.len());
}

#[system(Game)]
fn per_entity(
    position: &mut Position,
    _: Or<(With<Velocity>, With<Frozen>)>,
    _: Not<And<(With<Velocity>, With<Frozen>)>>,
    both: Query<&Position, (With<Velocity>, With<Frozen>)>,
    none: Query<&Position, (Without<Velocity>, Without<Frozen>)>,
) {
    position.0 = both.iter().chain(none.iter()).map(|other| other.0).sum();
}

pub fn main() {}
