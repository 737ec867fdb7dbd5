//! The state of a hook is cloned with the world.

use ecs::component::ComponentHook;
use ecs::prelude::*;

#[derive(Default)]
struct Load(u32);

impl ComponentHook<Weight> for Load {
    fn inserted(&mut self, _: Entity, _: Option<&Weight>, new: &Weight) {
        self.0 += new.0;
    }
    fn removed(&mut self, _: Entity, old: &Weight) {
        self.0 -= old.0;
    }
}

#[derive(Component)]
#[component(hook = Load)]
struct Weight(u32);

world! {
    struct Ship { components { Weight } }
}

fn main() {
    Ship::new().spawn(Weight(1));
}
