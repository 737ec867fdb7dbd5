use ecs::prelude::*;
use ecs::save::{DanglingIds, move_entities};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Health(u32);

#[derive(Component, Clone, Serialize, Deserialize)]
struct Mana(u32);

world! { struct Forest { components { Health, Mana } } }
world! { struct Town { components { Health } } }

fn main() {
    let (mut forest, mut town) = (Forest::new(), Town::new());
    let elf = forest.spawn((Health(3), Mana(1)));
    let _ = move_entities::<(Health, Mana), _, _>(&mut forest, [elf], &mut town, DanglingIds::Refuse);
}
