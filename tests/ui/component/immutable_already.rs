//! `immutable` on a component that is not changed in place without it.
use ecs::component::ComponentHook;
use ecs::prelude::*;

#[derive(Component)]
#[component(immutable)]
struct Frozen;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(key, immutable)]
struct Seat(u8);

#[derive(Component)]
#[component(hook = Load, immutable)]
struct Weight(u8);

#[derive(Relation)]
#[relation(exclusive)]
#[component(immutable)]
struct ChildOf(Entity);

// A word of other libraries.
#[derive(Component)]
#[component(readonly)]
struct Name(String);

#[derive(Clone, Default)]
struct Load;
impl ComponentHook<Weight> for Load {
    fn inserted(&mut self, _: Entity, _: Option<&Weight>, _: &Weight) {}
    fn removed(&mut self, _: Entity, _: &Weight) {}
}

fn main() {}
