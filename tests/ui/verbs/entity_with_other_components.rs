//! Handles of entities whose types list components, asked for others.
use ecs::prelude::*;
use ecs::world::EntityWith;

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Armor(u32);
#[derive(Component)]
struct Mana(u32);

world! { struct Game { components { Health, Armor } } }

// A component that the handle does not list.
fn toughness(of: EntityWith<'_, Game, (Health,)>) -> u32 {
    of.get::<Health>().0 + of.get::<Armor>().0
}

// A component that the world does not have.
fn unlisted() {
    let mut game = Game::new();
    let orc = game.spawn((Health(3), Armor(1)));
    let _ = game.entity_with::<(Health, Mana)>(orc);
    let _ = game.entity_with::<Health>(orc).unwrap().get::<Mana>();
}

fn main() {}
