//! Several mistakes of one kind (parts) in one program.
use ecs::prelude::*;
use std::marker::PhantomData;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);
#[derive(Component)]
pub struct Pool<T: Send + Sync + 'static>(pub u32, PhantomData<T>);
struct Mana;
#[derive(Resource)]
pub struct Clock(f32);

world! {
    struct Game {
        include pool::<Mana>;
        include parts_library::physic;
    }
    schedule tick { include fill::<Mana>, include parts_library::step }
}

world! {
    struct UnknownScheduleGame { include parts_library::physics; }
    schedule tick { include parts_library::stepp }
}

// A comma is missing.
parts! {
    physics {
        components { Position Velocity }
    }
}

// Generic parts whose parameter has no bound.
parts! {
    pub pool<T> {
        components { Pool<T> }
        schedule fill { grow::<T> }
    }
}

#[system]
pub fn grow<T: Send + Sync + 'static>(pool: &mut Pool<T>) {
    pool.0 += 1;
}

fn parameter_without_a_bound() {
    Game::new().tick();
}

// A schedule of parts with `every`.
parts! {
    schedule_with_a_clock {
        components { Position }
        resources { clock: Clock }
        schedule step every Clock { movement }
    }
}

#[system]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
