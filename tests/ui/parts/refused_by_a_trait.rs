//! Several mistakes of one kind (parts) in one program: traits refuse them.
use ecs::prelude::*;

struct Mana;
#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);
#[derive(Component)]
pub struct Marked;
#[derive(Component)]
pub struct Pool<T: Component>(u32, std::marker::PhantomData<T>);

world! {
    struct Game { include parts_library::pool::pool::<Mana>; }
}

// Parts that do not list a component that a system of their schedule needs.
parts! {
    pub physics {
        components { Position }
        schedule step { movement }
    }
}

#[system]
pub fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

// A system of generic parts needs a component that they do not list.
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
