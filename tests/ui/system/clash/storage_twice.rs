//! Two storages of one component.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;
type Ice<'w> = Storage<'w, Frozen>;

world! {
    struct Game { components { Position, Velocity, Frozen } }
    schedule tick { freeze }
}

#[system(Game)]
fn freeze(frozen: Storage<Frozen>, ice: Ice<'_>) {
    println!("{} {}", frozen.len(), ice.len());
}

fn main() {}
