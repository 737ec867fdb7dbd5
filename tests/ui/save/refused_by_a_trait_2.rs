//! Several mistakes of one kind (save) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::save::Selection;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct OldPosition(f32);
#[derive(Component, Serialize, Deserialize)]
#[component(from = OldPosition)]
struct Position(f32, f32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Health(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Mana(u32);

world! {
    #[derive(Clone)]
    struct Game { components { Health } }
}

fn selection_of_one_missing_component() {
    let game = Game::new();
    let _ = Selection::<Game>::of::<Mana>().save(&game);
}

fn main() {}
