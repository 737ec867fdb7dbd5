//! Several mistakes of one kind (reflect) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Event)]
struct EventWithoutSerialize(f32);
#[derive(Resource)]
struct ResourceWithoutSerialize(f32);

world! {
    #[derive(Reflect)]
    struct Game {
        components { Position, Velocity }
        events { EventWithoutSerialize(external) }
        resources { ResourceWithoutSerialize }
    }
}

world! {
    struct NotDerivedGame {}
}

// A world that is read by names, and does not derive `Reflect`.
fn not_derived() {
    let game = NotDerivedGame::new();
    let world: &dyn ReflectWorld = &game;
    println!("{}", world.reflect().len());
}

fn main() {}
