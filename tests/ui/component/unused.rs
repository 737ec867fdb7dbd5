//! rustc warns about unused components, relations, resources and events as about unused structs.
#![deny(dead_code)]
use ecs::prelude::*;

#[derive(Component, Default)]
struct Position(f32);

#[derive(Component)]
struct Velocity(f32);

#[derive(Component)]
#[component(requires(Position), tracked)]
struct Wheel;

#[derive(Component, Clone)]
#[component(removed, deref)]
struct Holder<T: Send + Sync + 'static>(T);

#[derive(Relation)]
#[relation(exclusive)]
struct Likes(Entity);

#[derive(Relation)]
#[relation(many)]
struct Knows(Entity);

#[derive(Resource)]
struct Clock(f32);

#[derive(Event)]
struct Bumped;

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0));
    assert!(game.get::<Position>(ball).is_some_and(|position| position.0 == 0.0));
}
