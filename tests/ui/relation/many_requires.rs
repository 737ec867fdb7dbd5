use ecs::prelude::*;

#[derive(Component, Default)]
struct Name;

#[derive(Relation)]
#[relation(many)]
#[component(requires(Name))]
struct Owes(Entity);

fn main() {}
