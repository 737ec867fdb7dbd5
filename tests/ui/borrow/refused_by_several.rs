//! Several mistakes of one kind (borrow) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { remember, movement, repel, write_to_a_shared_component }
    schedule refused_e0502_tick { refused_e0502; }
}

// An item that outlives the query that it came from.
fn first(game: &mut Game) -> Option<&mut Position> {
    let mut query = game.query_mut::<&mut Position>();
    query.iter_mut().next()
}

fn item_outlives_query() {
    let mut game = Game::new();
    first(&mut game);
}

// A reference that a system keeps in a `Local`.
#[system(Game)]
fn remember(bodies: Query<&Position>, mut last: Local<Option<&'static Position>>) {
    *last = bodies.into_iter().last();
}

// A reference to a component that outlives its world.
fn item_outlives_world() {
    let position = {
        let mut game = Game::new();
        let ball = game.spawn(Position(0.0));
        game.get::<Position>(ball).unwrap()
    };
    println!("{}", position.0);
}

// A query that is iterated mutably and not declared `mut`.
#[system(Game)]
fn movement(bodies: Query<&mut Position>) {
    for position in &mut bodies {
        position.0 += 1.0;
    }
}

// One column that is borrowed mutably, twice.
fn column_twice() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0));
    let mut columns = game.columns_mut();
    let one = columns.position.get_mut(ball).unwrap();
    let other = columns.position.get_mut(ball).unwrap();
    std::mem::swap(one, other);
}

// Inserting a component while a query is iterated.
fn insert_while_iterating() {
    let mut game = Game::new();
    for (entity, position) in game.query_mut::<(Entity, &mut Position)>() {
        let velocity = Velocity(position.0);
        let _ = game.insert(entity, velocity);
    }
}

// An item of a query that is used after a spawn.
fn item_kept_across_spawn() {
    let mut game = Game::new();
    game.spawn(Position(0.0));
    let first = game.query_mut::<&mut Position>().into_iter().next().unwrap();
    game.spawn(Position(1.0));
    first.0 += 1.0;
}

// A query that is iterated within its own iteration.
#[system(Game)]
fn repel(mut bodies: Query<&mut Position>) {
    for one in &mut bodies {
        for other in &mut bodies {
            one.0 -= other.0;
        }
    }
}

// Two items of one query that are held at once.
fn two_items_of_one_query() {
    let mut game = Game::new();
    let one = game.spawn(Position(0.0));
    let other = game.spawn(Position(1.0));
    let mut query = game.query_mut::<&mut Position>();
    let first = query.get_mut(one).unwrap();
    let second = query.get_mut(other).unwrap();
    std::mem::swap(first, second);
}

// A reference to a component that is used after a schedule ran.
#[system(Game)]
fn refused_e0502(position: &mut Position) {
    position.0 += 1.0;
}

fn component_kept_across_a_schedule() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0));
    let position = game.get::<Position>(ball).unwrap();
    game.refused_e0502_tick();
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

// Changing a component that the query borrows shared.
#[system(Game)]
fn write_to_a_shared_component(position: &Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn main() {}
