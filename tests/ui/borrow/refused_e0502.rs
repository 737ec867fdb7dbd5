//! Several mistakes of one kind (borrow) in one program: rustc reports them as E0502.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { movement; }
}

// A reference to a component that is used after a schedule ran.
#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn component_kept_across_a_schedule() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0));
    let position = game.get::<Position>(ball).unwrap();
    game.tick();
    println!("{}", position.0);
}

// A reference to a component that is used after `regroup`, which may have moved its entity.
fn component_kept_across_regroup() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0));
    let position = game.get::<Position>(ball).unwrap();
    let moved = game.regroup();
    println!("{} {}", position.0, moved.len());
}

// A reference to a component that is used after a spawn.
fn component_kept_across_spawn() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0));
    let position = game.get::<Position>(ball).unwrap();
    game.spawn(Position(1.0));
    println!("{}", position.0);
}

// Despawning while a query is iterated.
fn despawn_while_iterating() {
    let mut game = Game::new();
    for (entity, position) in &game.query::<(Entity, &Position)>() {
        if position.0 > 100.0 {
            let _ = game.despawn(entity);
        }
    }
}

// Two queries of one world that are held at once, one of them mutable.
fn two_queries() {
    let mut game = Game::new();
    let movers = game.query_mut::<&mut Position>();
    let velocities = game.query::<&Velocity>();
    movers.for_each(|position| position.0 += velocities.len() as f32);
}

fn main() {}
