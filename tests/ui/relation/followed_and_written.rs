//! A component is written, and read from the entity to which a relation leads, which may be any.
use ecs::prelude::*;
use ecs::{Many, Target, Up};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Relation)]
#[relation(exclusive)]
struct Follows(Entity);
#[derive(Relation)]
#[relation(many)]
struct Owes(Entity);

world! {
    struct Game { components { Position, Health, Follows, ChildOf, owes: Many<Owes> } }
    schedule tick { in_a_row, in_a_query, kept_apart, through_sources }
}

#[system(Game)]
fn in_a_row(_position: &mut Position, _leader: Target<Follows, &Position>) {}

#[system(Game)]
fn in_a_query(_query: Query<(&mut Position, Option<Up<ChildOf, &Position>>)>) {}

#[system(Game)]
fn kept_apart(_alone: Query<&mut Position, Without<Follows>>, _led: Query<Target<Follows, &Position>>) {}

#[system(Game)]
fn through_sources(_health: Mut<Health>, _debtors: Sources<Owes, Ref<Health>>) {}

fn main() {}
