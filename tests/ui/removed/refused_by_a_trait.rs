//! Several mistakes of one kind (removed) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component, Clone)]
#[component(removed)]
struct Gold(u32);
#[derive(Component)]
struct Position(f32);
#[derive(Component, Clone)]
#[component(removed)]
struct Mana(u32);

world! {
    struct Game { components { Gold, Position } }
    schedule tick { unknown_component, without_the_option }
}

// A generic system that asks for the removed values of a component that does not keep them.
#[system]
fn watch(removed: Removed<Position>) {
    let _ = removed;
}

fn generic_system() {
    Game::new().run::<watch>();
}

// The removed values of a component that the world lacks.
#[system(Game)]
fn unknown_component(removed: Removed<Mana>) {
    let _ = removed;
}

// The removed values of a component that does not keep them.
#[system(Game)]
fn without_the_option(removed: Removed<Position>) {
    let _ = removed;
}

fn main() {}
