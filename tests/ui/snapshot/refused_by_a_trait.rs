//! Several mistakes of one kind (snapshot) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component, Clone)]
struct Position(f32);
#[derive(Component, Clone)]
#[component(tracked)]
struct Health(u32);
#[derive(Component, Clone)]
struct Mana(u32);

world! {
    #[derive(Clone)]
    struct Game { components { Position, Health } }
}

// A filter by change, which a snapshot cannot answer.
fn filter_by_change() {
    let mut game = Game::new();
    let before = game.snapshot();
    for health in before.query::<&Health>().filter::<Changed<Health>>() {
        println!("{}", health.0);
    }
}

// A component of a snapshot that the world does not have.
fn get_of_an_unknown_component() {
    let mut game = Game::new();
    let before = game.snapshot();
    for entity in before.entities() {
        println!("{}", before.get::<Mana>(entity).is_some());
    }
}

// A query of a snapshot that writes.
fn query_that_writes() {
    let mut game = Game::new();
    let before = game.snapshot();
    for (entity, position) in before.query::<(Entity, &mut Position)>() {
        position.0 += 1.0;
        println!("{entity}");
    }
}

// A query of a snapshot for a component that the world does not have.
fn unknown_component() {
    let mut game = Game::new();
    let before = game.snapshot();
    for (position, mana) in before.query::<(&Position, &Mana)>() {
        println!("{} {}", position.0, mana.0);
    }
}

// A filter on a component that the world of the snapshot does not have.
fn unknown_component_in_a_filter() {
    let mut game = Game::new();
    let before = game.snapshot();
    for position in before.query::<&Position>().filter::<Without<Mana>>() {
        println!("{}", position.0);
    }
}

fn main() {}
