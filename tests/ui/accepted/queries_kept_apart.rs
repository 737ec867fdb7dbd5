//! Two queries of one component, whose filters keep their entities apart.
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

fn main() {}
