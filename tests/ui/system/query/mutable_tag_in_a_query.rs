//! A tag that a query borrows mutably.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game { components { Position, Velocity, Frozen } }
    schedule tick { thaw }
}

#[system(Game)]
fn thaw(mut frozen: Query<(Entity, &mut Frozen)>) {
    frozen.for_each(|(entity, _)| println!("{entity}"));
}

fn main() {}
