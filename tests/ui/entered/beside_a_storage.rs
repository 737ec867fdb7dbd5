//! A filter, beside what adds and removes the component that it looks at.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game { components { Position, Frozen } }
    schedule tick { watch }
}

#[system(Game)]
fn watch(entered: Entered<With<Frozen>>, mut frozen: Storage<Frozen>) {
    for entity in entered {
        frozen.remove(entity);
    }
}

fn main() {}
