//! Several mistakes of one kind (removed) in one program.
use ecs::prelude::*;

#[derive(Component, Clone)]
#[component(removed)]
struct Gold(u32);
#[derive(Component)]
struct Position(f32);
#[derive(Component, Clone)]
#[component(removed = "many")]
struct BoundIsNoNumber(u32);
#[derive(Component, Clone)]
#[component(removed = 0)]
struct Silver(u32);
#[derive(Component)]
#[component(removed)]
struct NotClone(u32);
#[derive(Component, Clone)]
#[component(removed)]
struct Mana(u32);

world! {
    struct Game { components { Gold, Position, NotClone } }
    schedule tick { watch, unknown_component, without_the_option, of_not_clone }
}

// The removed values of a component beside a storage that removes values.
#[system(Game)]
fn watch(removed: Removed<Gold>, mut gold: Storage<Gold>) {
    for (entity, _) in { removed }.iter() {
        gold.remove(entity);
    }
}

// A generic system that asks for the removed values of a component that does not keep them.
#[system]
fn refused_by_a_trait(removed: Removed<Position>) {
    let _ = removed;
}

fn generic_system() {
    Game::new().run::<refused_by_a_trait>();
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

// The reader of a component that is not `Clone`, which is reported once.
#[system(Game)]
fn of_not_clone(removed: Removed<NotClone>) {
    let _ = removed;
}

fn main() {}
