//! `Commands` of one world in a system whose attribute names none.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
    schedule tick { launch; land; leave }
}

#[system]
fn launch(mut commands: Commands<Game>) {
    commands.spawn(Position(0.0));
}

#[system]
fn land<W>(mut commands: Commands<W>) {
    commands.spawn(Position(0.0));
}

#[system]
fn leave<W: World>(entity: Entity, mut commands: Commands<W>) {
    commands.despawn(entity);
}

fn main() {}
