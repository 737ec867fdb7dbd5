use ecs::prelude::*;
use ecs::save::Selection;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Health(u32);

#[derive(Component, Clone, Serialize, Deserialize)]
struct Mana(u32);

world! {
    #[derive(Clone)]
    struct Game { components { Health } }
}

fn main() {
    let game = Game::new();
    let _ = Selection::<Game>::of::<Mana>().save(&game);
}
