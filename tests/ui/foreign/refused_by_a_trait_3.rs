//! Several mistakes of one kind (foreign) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
struct Position(f32);
#[derive(Component)]
struct Place(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock {
    step: f32,
}
#[derive(Event)]
struct Bumped;

world! {
    struct Game {
        components { Position, Place, Velocity }
        resources { clock: Clock = Clock { step: 0.0 } }
        events { Bumped(external) }
    }
    schedule tick { movement }
}

world! {
    #[derive(Reflect)]
    struct Shown { components { Position } }
}

// Worlds by names: a world that does not derive `Reflect`, and changes through a handle that reads.
fn reflect() {
    let game = Game::new();
    println!("{}", game.reflect().len());
    let shown = Shown::new();
    let mut handle = shown.reflect();
    let ball = handle.spawn(&[]).unwrap();
    handle.patch(ball, "Position", 1.0).unwrap();
}

// Methods that worlds have in bevy, hecs, specs and legion.
#[system(Game)]
fn movement(position: &mut Place) {
    position.0 += 1.0;
}

fn world() {
    let mut game = Game::new();
    let ball = game.spawn(Place(0.0));
    game.insert_resource(Clock { step: 1.0 });
    game.init_resource::<Clock>();
    let step = game.get_resource::<Clock>().unwrap().step;
    game.get_resource_mut::<Clock>().unwrap().step = step;
    game.send_event(Bumped);
    game.trigger(Bumped);
    game.add_systems((), movement);
    game.run_schedule(());
    game.update();
    game.run_system_once(movement).unwrap();
    for (entity, position) in game.iter() {
        println!("{entity} {}", position.0);
    }
    let (position, velocity) = game.query_one::<(&Place, &Velocity)>(ball).unwrap();
    println!("{} {}", position.0, velocity.0);
    game.register::<Place>();
    game.create_entity().with(Place(0.0)).build();
    game.add_component(ball, Velocity(1.0)).unwrap();
    game.remove_component::<Velocity>(ball);
    game.get_entity(ball).unwrap().contains::<Place>();
    game.delete_entity(ball).unwrap();
    game.delete(ball);
    for child in game.children(ball) {
        println!("{child}");
    }
    game.add_pair(ball, (), ball);
    game.emplace::<Place>(ball, 1.0);
    game.despawn(Entity::new()).unwrap();
    let copy = game.clone();
    println!("{}", copy.resource::<Clock>().step);
}

fn main() {}
