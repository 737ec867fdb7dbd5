//! Handles of entities whose types list components.

use ecs::error::MissingError;
use ecs::prelude::*;
use ecs::world::EntityWith;

#[derive(Component, PartialEq, Debug)]
struct Health(u32);

#[derive(Component, PartialEq, Debug)]
struct Armor(u32);

#[derive(Component)]
struct Frozen;

#[derive(Bundle)]
struct Body {
    health: Health,
    frozen: Frozen,
}

world! { struct Game { components { Health, Armor, Frozen } } }

fn toughness(of: EntityWith<'_, Game, (Health, Armor)>) -> u32 {
    of.get::<Health>().0 + of.get::<Armor>().0
}

#[test]
fn a_handle_reads_its_components_without_an_option() -> Result<(), MissingError> {
    let mut game = Game::new();
    let orc = game.spawn((Health(3), Armor(1), Frozen));
    assert_eq!(toughness(game.entity_with(orc)?), 4);
    let body = game.entity_with::<Body>(orc)?;
    assert_eq!((body.id(), body.get::<Health>(), body.as_ref().get()), (orc, &Health(3), Some(&Armor(1))));
    let _: &Frozen = game.entity_with::<(Health, (Armor, Frozen))>(orc)?.get();
    assert_eq!(game.entity_with::<Health>(orc)?.get::<Health>(), &Health(3));
    Ok(())
}

#[test]
fn a_handle_is_refused_with_the_missing_component() {
    let mut game = Game::new();
    let ghost = game.spawn(Health(1));
    let missing = game.entity_with::<(Health, Armor)>(ghost).unwrap_err();
    assert_eq!(missing, MissingError::Missing { entity: ghost, component: "Armor", world: "Game" });
    game.despawn(ghost).unwrap();
    assert!(matches!(game.entity_with::<Health>(ghost), Err(MissingError::NoSuchEntity(_))));
}
