//! Several mistakes of one kind (verbs) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::component::Name;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(index)]
struct Team(u8);
#[derive(Component)]
#[component(tracked, excludes(Burning))]
struct Frozen(u32);
#[derive(Component)]
#[component(excludes(Frozen))]
struct Burning;
#[derive(Component, Clone)]
struct Position(f32);

world! {
    struct Game { components { Team, Name, Frozen, Burning, Position } }
}

// The key of an index is a reference to the key's type, or to a borrowed form of it.
fn find_by_a_wrong_key() {
    let game = Game::new();
    let _ = game.find::<Team>(1);
    let _ = game.find_one::<Name>(String::from("bob"));
}

// Inserting into a view of a component with exclusions, which cannot check the other components.
fn insert_into_a_view_of_a_component_with_exclusions() {
    let mut game = Game::new();
    let entity = game.spawn(Burning);
    let _ = game.columns_mut().frozen.insert(entity, Frozen(3));
    game.columns_mut().frozen.remove(entity);
}

// A snapshot of a world that cannot be copied.
fn snapshot_without_clone() {
    let mut game = Game::new();
    let before = game.snapshot();
    game.spawn(Position(0.0));
    drop(before);
}

fn main() {}
