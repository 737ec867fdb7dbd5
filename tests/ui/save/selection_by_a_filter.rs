//! A selection of entities by filters in place of components, and by a resource.
use ecs::prelude::*;
use ecs::save::Selection;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
struct Position(f32);
#[derive(Component)]
struct Frozen;
#[derive(Resource, Default)]
struct Score(u32);

world! {
    struct Game {
        components { Position, Frozen }
        resources { Score }
    }
}

fn main() {
    let _ = Selection::<Game>::of::<Position>().with::<With<Frozen>>();
    let _ = Selection::<Game>::of::<Position>().without::<Score>();
}
