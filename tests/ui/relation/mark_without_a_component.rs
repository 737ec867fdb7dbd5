//! `mark` without a component, with two, and with something else.
use ecs::prelude::*;

#[derive(Component, Default)]
struct CleanUp;

#[derive(Relation)]
#[relation(exclusive, gone = mark)]
struct Attacks(Entity);

#[derive(Relation)]
#[relation(exclusive, gone = mark())]
struct Follows(Entity);

#[derive(Relation)]
#[relation(exclusive, gone = mark(CleanUp, CleanUp))]
struct Guards(Entity);

#[derive(Relation)]
#[relation(exclusive, gone = mark("CleanUp"))]
struct Holds(Entity);

#[derive(Relation)]
#[relation(exclusive, gone = mark(CleanUp(1)))]
struct Hears(Entity);

fn main() {}
