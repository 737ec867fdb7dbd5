//! Several mistakes of one kind (system, query) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;
type Nothing = ();

world! {
    struct Game { components { Position, Velocity, Frozen } }
    schedule tick { movement, count, thaw, optional_mutable_tag }
}

// A component where the filter of a query is expected.
#[system(Game)]
fn movement(mut bodies: Query<&mut Position, Frozen>) {
    bodies.for_each(|position| position.0 += 1.0);
}

// A query without elements behind an alias.
#[system(Game)]
fn count(bodies: Query<Nothing>) {
    println!("{}", bodies.len());
}

// A tag that a query borrows mutably.
#[system(Game)]
fn thaw(mut frozen: Query<(Entity, &mut Frozen)>) {
    frozen.for_each(|(entity, _)| println!("{entity}"));
}

// A query with an `Option` of a mutable borrow of a tag.
#[system(Game)]
fn optional_mutable_tag(position: &mut Position, frozen: Option<&mut Frozen>) {
    position.0 += f32::from(u8::from(frozen.is_some()));
}

fn main() {}
