//! Several mistakes of one kind (borrow) in one program: rustc reports them as E0499.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { repel }
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

fn main() {}
