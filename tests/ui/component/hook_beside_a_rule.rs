//! Hooks of components that have another rule, or are tracked.
use ecs::component::ComponentHook;
use ecs::prelude::*;

#[derive(Clone, Default)]
struct Count(usize);

impl<T> ComponentHook<T> for Count {
    fn inserted(&mut self, _: Entity, old: Option<&T>, _: &T) {
        self.0 += usize::from(old.is_none());
    }
    fn removed(&mut self, _: Entity, _: &T) {
        self.0 -= 1;
    }
}

#[derive(Component)]
#[component(unique, hook = Count)]
struct Camera(u32);

#[derive(Component, PartialEq, Eq, Hash)]
#[component(index, hook = Count)]
struct Team(u32);

#[derive(Component)]
#[component(tracked, hook = Count)]
struct Weight(u32);

fn main() {}
