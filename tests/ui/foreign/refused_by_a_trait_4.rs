//! More methods and types of other libraries, and methods that other types have.
use std::time::Duration;

use ecs::Prefab;
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
struct Position(f32);
#[derive(Component, Serialize, Deserialize)]
struct Velocity(f32);
#[derive(States, Serialize, Deserialize)]
enum Phase {
    Menu,
    Play,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        components { Position, Velocity, ChildOf }
        resources { State<Phase>(external) = State::new(Phase::Menu) }
    }
    schedule tick { storages, timers, families, sets }
}

#[system(Game)]
fn storages(mut positions: Storage<Position>, all: Query<Entity>) {
    println!("{:?}", positions.join());
    positions.clear();
    for entity in positions.entities() {
        println!("{entity}");
    }
    for entity in &all {
        println!("{}", positions.has(entity));
        positions.add_component(entity, Position(0.0));
        positions.delete(entity);
        positions.entry(entity);
    }
}

#[system(Game)]
fn timers(mut timer: Local<Timer>) {
    if timer.tick(Duration::ZERO).just_finished() || timer.tick(Duration::ZERO).is_finished() {
        println!("{}", timer.tick(Duration::ZERO).finished());
    }
}

#[system(Game)]
fn families(parents: Query<Entity, With<Position>>, mut commands: Commands<Game>) {
    for parent in &parents {
        commands.entity(parent).despawn_related::<Children>().insert(Position(0.0));
    }
}

#[system(Game)]
fn sets(mut set: ParamSet<(Query<&mut Position>, Query<&Position>)>) {
    for position in set.p2() {
        println!("{}", position.0);
    }
}

world! { struct Plain {} }

fn main() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0));
    for child in game.get::<Children>(ball).unwrap() {
        println!("{child:?}");
    }
    for target in game.targets::<ChildOf>(ball) {
        println!("{target}");
    }
    game.change(Phase::Menu, Phase::Play);
    println!("{}", game.query::<&Position>().with::<Velocity>().len());
    println!("{}", Plain::new().to_json());
    game.despawn_children(ball);
    game.despawn_descendants(ball);
    let made = Entity::new();
    game.save_to("game.save").unwrap();
    let mut fuse = Timer::from_seconds(1.0, TimerMode::Once);
    let mut wave = Timer::new(Duration::from_secs(1), TimerMode::Repeating);
    let loaded = Game::from_bytes(&[]).unwrap();
    let cart = Prefab::<Game>::load("cart.json").unwrap();
    let wheel = Prefab::<Game>::new(Position(0.0));
    Plain::new().tick();
    game.entity_mut(ball).add_child(ball);
}
