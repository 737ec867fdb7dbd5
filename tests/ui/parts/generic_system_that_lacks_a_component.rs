//! A system of generic parts needs a component that they do not list.
use ecs::prelude::*;

#[derive(Component)]
pub struct Marked;
#[derive(Component)]
pub struct Pool<T: Component>(u32, std::marker::PhantomData<T>);

parts! {
    pub pool<T: Component> {
        components { Pool<T> }
        schedule fill { grow::<T> }
    }
}

#[system]
pub fn grow<T: Component>(pool: &mut Pool<T>, _: With<Marked>) {
    pool.0 += 1;
}

fn main() {}
