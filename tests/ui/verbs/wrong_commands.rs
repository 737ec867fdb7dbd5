//! Commands without the world, without the entity, and with an event that is none.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Event)]
struct Bumped;

world! {
    struct Game {
        components { Position }
        events { Bumped }
    }
    schedule tick { send, insert, without_a_world }
}

#[system(Game)]
fn send(mut commands: Commands<Game>) {
    commands.send(Position(0.0));
}

#[system(Game)]
fn insert(mut commands: Commands<Game>) {
    commands.insert(Position(0.0));
}

#[system(Game)]
fn without_a_world(mut commands: Commands) {
    commands.spawn(Position(0.0));
}

fn main() {}
