//! A generic system with two components that differ in the world that schedules it.
use ecs::prelude::*;

#[derive(Component)]
struct Attack(u32);
#[derive(Component)]
struct Health(u32);

world! {
    struct Game {
        components { Attack, Health }
    }
    schedule tick {
        exchange::<Attack, Health>;
    }
}

#[system]
fn exchange<A: Component, B: Component>(one: Query<&mut A>, other: Query<&B>) {
    println!("{} {}", one.len(), other.len());
}

pub fn main() {}
