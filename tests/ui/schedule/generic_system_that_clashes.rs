//! A generic system whose parameters clash in the world that schedules it.
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
        exchange::<Health, Health>;
    }
}

#[system]
fn exchange<A: Component, B: Component>(one: Query<&mut A>, other: Query<&B>) {
    let _ = (one, other);
}

fn main() {}
