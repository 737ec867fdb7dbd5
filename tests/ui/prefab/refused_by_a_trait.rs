//! Several mistakes of one kind (prefab) in one program: traits refuse them.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Default)]
struct Health(u32);
#[derive(Bundle)]
struct Monster {
    health: Health,
}
#[derive(Component, Serialize, Deserialize)]
struct QueryOfATypeThatIsNoComponent(u32);
#[derive(Component)]
struct Mana(u32);
#[derive(Aspect)]
struct WorldIsNotSaved {
    health: Health,
}
#[derive(Component, Serialize, Deserialize, Default)]
struct Speed(u32);
#[derive(Aspect)]
struct WorldLacksAComponent {
    health: Health,
    speed: Speed,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Game { components { Health, QueryOfATypeThatIsNoComponent } }
}

world! {
    struct WorldIsNotSavedGame { components { Health } }
}

// A bundle in place of an aspect in the types that files may name.
fn not_an_aspect() {
    let _ = Prefabs::<Game>::new().aspect::<Monster>();
}

// A query of a prefab for a component that its world does not list.
fn is_magic(prefab: &Prefab<Game>) -> bool {
    prefab.has::<Mana>("wizard")
}

// Prefabs of a world that is not saved.
fn world_is_not_saved() {
    let _ = Prefabs::<WorldIsNotSavedGame>::new().aspect::<WorldIsNotSaved>();
}

// An aspect that files may name has a component that the world does not have.
fn world_lacks_a_component() {
    let _ = Prefabs::<Game>::new().aspect::<WorldLacksAComponent>();
}

fn main() {}
