//! `Commands` without the world, and of the trait of all worlds.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
    schedule tick { clear, stop; launch, land }
}

#[system(Game)]
fn clear(mut commands: Commands, positions: Query<Entity, With<Position>>) {
    for entity in &positions {
        commands.despawn(entity);
    }
}

#[system(Game)]
fn stop(mut commands: Commands<World>, velocities: Query<Entity, With<Velocity>>) {
    for entity in &velocities {
        commands.remove::<Velocity>(entity);
    }
}

#[system]
fn launch(mut commands: Commands) {
    commands.spawn(Position(0.0));
}

#[system]
fn land(mut commands: Commands<World>) {
    commands.spawn(Position(0.0));
}

fn main() {}
