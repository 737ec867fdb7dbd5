//! Queries: their elements and filters, and the methods of a query.

use ecs::prelude::*;

#[derive(Component, Debug)]
struct Health(u32);

#[derive(Component, Debug)]
struct Armour(u32);

#[derive(Component, Debug)]
struct Poisoned;

#[derive(Component, Debug)]
struct Undead;

world! {
    struct Game {
        components { Health, Armour, Poisoned, Undead }
    }
}

/// A query with named fields.
#[derive(Query)]
struct Fighter<'a> {
    entity: Entity,
    health: &'a mut Health,
    armour: Option<&'a Armour>,
    poisoned: Is<Poisoned>,
}

fn main() {
    let mut game = Game::new();
    let knight = game.spawn((Health(20), Armour(5)));
    let rat = game.spawn((Health(3), Poisoned));
    let ghoul = game.spawn((Health(9), Undead, Poisoned));

    println!("the living and hurt:");
    for (entity, health) in game.query::<(Entity, &Health)>().filter::<(With<Poisoned>, Without<Undead>)>() {
        println!("  {entity} {health:?}");
    }

    println!("a blow of 4 for everybody:");
    for fighter in game.query_mut::<Fighter>() {
        let armour = fighter.armour.map_or(0, |armour| armour.0);
        fighter.health.0 = fighter.health.0.saturating_sub(4_u32.saturating_sub(armour));
        println!("  {} {:?} poisoned: {:?}", fighter.entity, fighter.health, fighter.poisoned);
    }

    let mut healths = game.query_mut::<&mut Health>();
    if let Ok([a, b]) = healths.get_many_mut([knight, ghoul]) {
        std::mem::swap(a, b); // two entities at once: equal ids or ids of despawned entities are an error
    }
    println!("exchanged: {:?}", healths.iter_mut().collect::<Vec<_>>());

    let poisoned = game.entities().filter::<With<Poisoned>>().to_set();
    let undead = game.entities().filter::<With<Undead>>().to_set();
    println!("poisoned and not undead: {:?}", poisoned - undead);
    println!("the only one in armour: {:?}", game.query::<&Armour>().single().map(|armour| armour.0));
    println!("the rat: {:?}", game.entity(rat));
}
