//! A query with `Changed` beside a query that changes the component.
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
fn heal(mut healths: Query<Mut<Health>>, changed: Query<Entity, Changed<Health>>) {
    healths.for_each(|mut health| health.0 += 1);
    let _ = changed;
}

fn main() {}
