//! A query that borrows a tracked component with `&mut`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game { components { Position, Health, Frozen } }
    schedule tick { heal }
}

#[system(Game)]
fn heal(healths: Query<(Entity, Option<&mut Health>)>) {
    let _ = healths;
}

fn main() {}
