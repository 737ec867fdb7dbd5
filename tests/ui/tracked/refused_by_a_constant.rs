//! Several mistakes of one kind (tracked) in one program: constants refuse them.
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
    schedule tick { heal, changed_beside_a_writer }
}

// A query that borrows a tracked component twice, once mutably.
#[system(Game)]
fn heal(healths: Query<(Mut<Health>, Ref<Health>)>) {
    let _ = healths;
}

// A query with `Changed` beside a query that changes the component.
#[system(Game)]
fn changed_beside_a_writer(mut healths: Query<Mut<Health>>, changed: Query<Entity, Changed<Health>>) {
    healths.for_each(|mut health| health.0 += 1);
    let _ = changed;
}

fn main() {}
