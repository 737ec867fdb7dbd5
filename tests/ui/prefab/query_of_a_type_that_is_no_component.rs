//! A query of a prefab for a component that its world does not list.
use ecs::prelude::*;
use ecs::Prefab;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
struct Health(u32);
#[derive(Component)]
struct Mana(u32);

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        components { Health }
    }
}

fn is_magic(prefab: &Prefab<Game>) -> bool {
    prefab.has::<Mana>("wizard")
}

fn main() {}
