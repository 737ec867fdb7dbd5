//! R: RogueBasin's page and its minimal registry.

use std::collections::{BTreeMap, HashMap};

use ecs::error::MissingError;
use ecs::prelude::*;

#[derive(Component, PartialEq, Clone, Debug)]
struct Name(String);
#[derive(Component, PartialEq, Clone, Debug)]
struct Position(i32, i32);
/// A primitive type as a component.
#[derive(Component, PartialEq, Clone, Debug)]
#[component(deref)]
struct Gold(u32);
#[derive(Component, PartialEq, Clone, Debug)]
struct Poisoned;

world! {
    struct Dungeon { components { Name, Position, Gold, Poisoned } }
}

#[test]
fn r01_ids_are_hashed_and_ordered() {
    let mut dungeon = Dungeon::new();
    let ids: Vec<Entity> = (0..10).map(|n| dungeon.spawn(Gold(n))).collect();
    let hashed: HashMap<Entity, u32> = ids.iter().copied().zip(0..).collect();
    let ordered: BTreeMap<Entity, u32> = ids.iter().copied().zip(0..).collect();
    assert_eq!((hashed[&ids[7]], ordered[&ids[3]]), (7, 3));
}

#[test]
fn r02_setting_inserts_or_overwrites() {
    let mut dungeon = Dungeon::new();
    let hero = dungeon.spawn(());
    assert_eq!(dungeon.insert(hero, Gold(1)), Ok(None));
    assert_eq!(dungeon.insert(hero, Gold(2)), Ok(Some(Gold(1))));
    assert_eq!(dungeon.get(hero), Some(&Gold(2)));
}

#[test]
fn r03_getting_a_missing_component_is_an_error() {
    let mut dungeon = Dungeon::new();
    let hero = dungeon.spawn(Gold(1));
    assert_eq!(dungeon.try_get(hero), Ok(&Gold(1)));
    let missing = MissingError::Missing { entity: hero, component: "Name", world: "Dungeon" };
    assert_eq!(dungeon.try_get::<Name>(hero), Err(missing));
    assert_eq!(dungeon.try_get_mut::<Name>(hero), Err(missing));
}

#[test]
fn r04_has_answers_for_every_component() {
    let mut dungeon = Dungeon::new();
    let hero = dungeon.spawn((Gold(1), Poisoned));
    assert_eq!(
        [dungeon.has::<Gold>(hero), dungeon.has::<Poisoned>(hero), dungeon.has::<Name>(hero)],
        [true, true, false]
    );
}

#[test]
fn r05_removing_a_missing_component_is_an_error() {
    let mut dungeon = Dungeon::new();
    let hero = dungeon.spawn((Gold(1), Poisoned));
    assert_eq!(dungeon.try_remove::<Poisoned>(hero), Ok(Poisoned));
    let missing = MissingError::Missing { entity: hero, component: "Poisoned", world: "Dungeon" };
    assert_eq!(dungeon.try_remove::<Poisoned>(hero), Err(missing));
    assert_eq!(dungeon.get(hero), Some(&Gold(1)));
}

#[test]
fn r06_components_are_set_while_others_are_iterated() {
    #[system(Dungeon)]
    fn poison(rich: Query<(Entity, &Gold)>, mut poisoned: Storage<Poisoned>) {
        for (entity, gold) in &rich {
            if gold.0 > 5 {
                poisoned.insert(entity, Poisoned).unwrap();
            }
        }
    }
    let mut dungeon = Dungeon::new();
    dungeon.spawn_batch((0..100).map(Gold));
    dungeon.run::<poison>();
    assert_eq!(dungeon.query::<&Poisoned>().len(), 94);
    let snapshot = dungeon.query::<&Gold>().filter::<With<Poisoned>>().to_set();
    for entity in snapshot.iter() {
        dungeon.remove::<Poisoned>(entity).unwrap();
        dungeon.insert(entity, Position(0, 0)).unwrap();
    }
    assert_eq!((dungeon.query::<&Poisoned>().len(), dungeon.query::<&Position>().len()), (0, 94));
}

#[test]
fn r07_a_primitive_is_a_component_in_a_newtype() {
    let mut dungeon = Dungeon::new();
    let hero = dungeon.spawn(Gold(3));
    **dungeon.get_mut::<Gold>(hero).unwrap() += 4;
    assert_eq!(dungeon.get::<Gold>(hero).unwrap().pow(2), 49);
}

#[test]
fn r08_entities_of_one_world_have_very_different_loadouts() {
    let mut dungeon = Dungeon::new();
    let name = || Name("n".into());
    let ids = [
        dungeon.spawn(()),
        dungeon.spawn(name()),
        dungeon.spawn((Position(1, 1), Poisoned)),
        dungeon.spawn((name(), Gold(1), Position(2, 2))),
        dungeon.spawn((Poisoned, Gold(2))),
    ];
    let counts = ids.map(|id| dungeon.entity(id).unwrap().components().count());
    assert_eq!(counts, [0, 1, 2, 3, 2]);
    assert_eq!(dungeon.query::<(&Gold, Option<&Position>)>().iter().filter(|(_, p)| p.is_some()).count(), 1);
}
