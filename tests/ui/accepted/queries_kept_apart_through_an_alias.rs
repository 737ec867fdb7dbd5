//! Two queries of one component, made disjoint by a filter behind an alias.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

type Still = Without<Velocity>;
type Prey<'w> = Query<'w, &'static Position, Still>;

world! {
    struct Game {
        components { Position, Velocity, Frozen }
    }
}

#[system(Game)]
fn chase(mut hunters: Query<(&mut Position, &Velocity)>, prey: Prey<'_>) {
    hunters.for_each(|(position, _)| position.0 = prey.iter().map(|prey| prey.0).sum());
}

pub fn main() {}
