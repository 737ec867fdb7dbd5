//! Commands that are called on the result of a command, as in bevy.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Position, Frozen }
    }
    schedule tick { thaw }
}

#[system(Game)]
fn thaw(mut commands: Commands<Game>, all: Query<Entity, With<Frozen>>) {
    for entity in &all {
        commands.insert(entity, Position(0.0)).remove::<Frozen>(entity);
    }
}

fn main() {}
