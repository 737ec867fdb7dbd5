//! A component with a hook, changed in place.
use ecs::component::ComponentHook;
use ecs::prelude::*;

#[derive(Component)]
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

world! {
    struct Ship {
        components { Weight }
    }
    schedule tick { leak }
}

#[system(Ship)]
fn leak(weight: &mut Weight) {
    weight.0 += 1;
}

fn main() {}
