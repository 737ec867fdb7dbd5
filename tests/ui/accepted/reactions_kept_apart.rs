//! Change filters beside writers of the same component: in one query, or in queries that filters make disjoint.
use ecs::prelude::*;

#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Health, Frozen }
    }
    schedule tick { heal; thaw; same }
}

#[system(Game)]
fn heal(mut health: Mut<Health>, _: Changed<Health>) {
    health.0 += 1;
}

#[system(Game)]
fn same(mut healths: Query<(Mut<Health>, Option<&Frozen>), Or<(Changed<Health>, With<Frozen>)>>) {
    healths.for_each(|(mut health, _)| health.0 += 1);
}

#[system(Game)]
fn thaw(
    mut healths: Query<Mut<Health>, With<Frozen>>,
    changed: Query<Entity, (Changed<Health>, Without<Frozen>)>,
    entered: Entered<(With<Health>, Without<Frozen>)>,
) {
    let _ = (changed.len(), entered.len());
    healths.for_each(|mut health| health.0 += 1);
}

pub fn main() {
    Game::new().tick();
}
