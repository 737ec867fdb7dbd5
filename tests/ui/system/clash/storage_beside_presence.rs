//! A storage beside an element `Is` of its component.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Position, Velocity, Frozen }
    }
}

#[system(Game)]
fn freeze(bodies: Query<(Entity, Is<Frozen>)>, mut frozen: Storage<Frozen>) {
    for (entity, is_frozen) in &bodies {
        if !*is_frozen {
            let _ = frozen.insert(entity, Frozen);
        }
    }
}

fn main() {}
