//! Mistakes in elements that follow a relation: the macros report them.
use ecs::prelude::*;
use ecs::{Many, RelatedTo, Target, Up};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Component)]
struct Ship;
#[derive(Relation)]
#[relation(exclusive)]
struct Follows(Entity);
#[derive(Relation)]
#[relation(many)]
struct Owes(Entity);

world! {
    struct Game { components { Position, Health, Ship, Follows, ChildOf, owes: Many<Owes> } }
    schedule tick { push, spread, of_many, no_data, no_filter, changed, filter, several }
}

#[system(Game)]
fn push(_leader: Target<Follows, &mut Position>) {}

#[system(Game)]
fn spread(_followers: Sources<Follows, (Entity, &mut Position)>) {}

#[system(Game)]
fn of_many(_creditors: Query<Target<Owes, &Position>>) {}

#[system(Game)]
fn no_data(_leaders: Query<Target<Follows>>) {}

#[system(Game)]
fn no_filter(_crew: Query<&Position, RelatedTo<Follows>>) {}

#[system(Game)]
fn changed(_crew: Query<&Position, RelatedTo<Follows, Changed<Health>>>) {}

#[system(Game)]
fn filter(_crew: Query<(&Position, Up<ChildOf, With<Ship>>)>) {}

#[system(Game)]
fn several(_parts: Query<Up<ChildOf, &Position, &Ship>>) {}

fn main() {}
