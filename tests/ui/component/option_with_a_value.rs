//! Options that stand alone or have their value behind `=`, with values in parentheses.
use ecs::prelude::*;

#[derive(Component)]
#[component(index(name))]
struct Named {
    name: u32,
}

#[derive(Component)]
#[component(tracked(true), unique = true)]
struct Player(u32);

#[derive(Component)]
#[component(removed(3))]
struct Mana(u32);

#[derive(Relation)]
#[relation(exclusive(true))]
struct Likes(Entity);

fn main() {}
