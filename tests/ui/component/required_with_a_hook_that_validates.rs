//! A required component whose hook may refuse it.
use ecs::component::ComponentHook;
use ecs::prelude::*;

#[derive(Component, Default)]
#[component(hook = Load)]
struct Weight(u32);

#[derive(Clone, Default)]
struct Load {
    sum: u32,
}

impl ComponentHook<Weight> for Load {
    fn inserted(&mut self, _: Entity, old: Option<&Weight>, new: &Weight) {
        self.sum = self.sum - old.map_or(0, |old| old.0) + new.0;
    }
    fn removed(&mut self, _: Entity, old: &Weight) {
        self.sum -= old.0;
    }
}

#[derive(Component)]
#[component(requires(Weight(3)))]
struct Barrel;

world! {
    struct Ship {
        components { Weight, Barrel }
    }
}

fn main() {}
