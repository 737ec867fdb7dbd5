//! A `Storage` of a component by which the queries of other systems pass over entities.
use ecs::component::Disabled;
use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

world! {
    struct Game {
        components { Health, Disabled }
    }
    schedule tick { bury }
}

#[system(Game)]
fn bury(bodies: Query<(Entity, &Health)>, mut disabled: Storage<Disabled>) {
    for (entity, health) in &bodies {
        if health.0 == 0 {
            disabled.insert(entity, Disabled).unwrap();
        }
    }
}

fn main() {}
