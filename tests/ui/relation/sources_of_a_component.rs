use ecs::Sources;
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { look }
}

#[system(Game)]
fn look(positions: Query<(Entity, Sources<Position>)>) {
    let _ = positions.len();
}

fn main() {}
