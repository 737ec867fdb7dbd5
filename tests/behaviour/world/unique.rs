//! Unique components: a world has one holder, after every kind of change.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::command::FailurePolicy;
use ecs::error::{InsertError, PresentError, Reason, Refused};
use ecs::prelude::*;
use ecs_tests::fuse::panic_file;
use ecs_tests::{Ledger, Token};

#[derive(Component, Clone, Debug)]
#[component(unique)]
struct Camera(#[allow(dead_code)] Token);

#[derive(Component, Clone, PartialEq, Debug)]
struct Name(u32);

#[derive(Component, Clone, PartialEq, Debug)]
#[component(unique, tracked, removed)]
struct Crown(u32);

world! {
    #[derive(Clone)]
    struct Game {
        components { Camera, Name, Crown }
    }
    schedule tick { crowning; fallen }
}

/// Inserts a crown into all entities.
#[system(Game)]
fn crowning(names: Query<(Entity, &Name)>, mut crowns: Storage<Crown>) {
    for (entity, name) in &names {
        let _ = crowns.insert(entity, Crown(name.0));
    }
}

#[system(Game)]
fn fallen(mut removed: Removed<Crown>, mut seen: Local<u32>) {
    for (_, crown) in removed.iter() {
        *seen += crown.0;
    }
}

fn held(entity: Option<Entity>, component: &'static str, holder: Entity) -> Refused {
    Refused { entity, component, world: "Game", reason: Reason::HeldBy(holder) }
}

#[test]
fn the_second_holder_is_refused_and_nothing_changes() {
    let ledger = Ledger::new();
    let mut game = Game::new();
    let first = game.spawn((Camera(ledger.token()), Name(1)));
    let second = game.spawn(Name(2));
    let refused = held(Some(second), "Camera", first);
    let error = game.insert(second, (Name(3), Camera(ledger.token()))).unwrap_err();
    assert_eq!(error, InsertError::Refused(refused));
    assert_eq!(game.get(second), Some(&Name(2)));
    let text = format!(
        "entity {second} of world `Game` cannot have component `Camera`: the component is unique, and entity \
         {first} already has it; remove it there first"
    );
    assert_eq!(error.to_string(), text);
    assert_eq!(game.insert_one(second, Camera(ledger.token())).unwrap_err(), InsertError::Refused(refused));
    assert_eq!(
        game.insert_if_new(second, Camera(ledger.token())).unwrap_err(),
        PresentError::Refused(refused)
    );
    assert_eq!(game.try_spawn(Camera(ledger.token())).unwrap_err(), held(None, "Camera", first));
    assert_eq!(ledger.alive(), 1, "what was refused is dropped");
    assert_eq!(game.entities().iter().count(), 2);
}

#[test]
fn spawn_and_entity_mut_panic_where_they_are_refused() {
    let mut game = Game::new();
    let first = game.spawn(Crown(1));
    let panic = catch_unwind(AssertUnwindSafe(|| game.spawn((Name(2), Crown(2))))).unwrap_err();
    let text = format!(
        "a new entity of world `Game` cannot have component `Crown`: the component is unique, and entity \
         {first} already has it; remove it there first"
    );
    assert_eq!(panic.downcast_ref(), Some(&text));
    let second = game.spawn(Name(2));
    assert!(catch_unwind(AssertUnwindSafe(|| game.entity_mut(second).unwrap().insert(Crown(2)))).is_err());
    assert!(game.entity_mut(second).unwrap().insert_if_new(Crown(2)).is_err());
    assert_eq!((game.entities().iter().count(), game.has::<Crown>(second)), (2, false));
    // the panic names the line of the caller
    assert!(panic_file(|| game.spawn(Crown(2))).ends_with("unique.rs"));
    assert!(panic_file(|| game.entity_mut(second).unwrap().insert(Crown(2))).ends_with("unique.rs"));
}

#[test]
fn the_holder_may_replace_its_value_and_give_it_up() {
    let mut game = Game::new();
    let (first, second) = (game.spawn(Crown(1)), game.spawn(()));
    assert_eq!(game.insert(first, Crown(5)), Ok(Some(Crown(1))));
    assert_eq!(game.unique::<Crown>(), Some((first, &Crown(5))));
    assert_eq!(game.remove::<Crown>(first), Ok(Some(Crown(5))));
    assert_eq!(game.unique::<Crown>(), None);
    assert_eq!(game.insert(second, Crown(2)), Ok(None));
    game.despawn(second).unwrap();
    assert_eq!(game.unique::<Crown>(), None);
    assert_eq!(game.insert(first, Crown(3)), Ok(None));
    game.clear();
    let third = game.spawn(Crown(4));
    assert_eq!(game.unique::<Crown>(), Some((third, &Crown(4))));
}

#[test]
fn views_and_storage_refuse_too() {
    let mut game = Game::new();
    let entities: Vec<Entity> = (1..4).map(|n| game.spawn(Name(n))).collect();
    game.tick();
    assert_eq!(game.unique::<Crown>(), Some((entities[0], &Crown(1))));
    let GameColumns { crown, .. } = &mut game.columns_mut();
    assert_eq!(crown.insert(entities[1], Crown(2)), Err(Crown(2)));
    assert_eq!(crown.remove(entities[0]), Some(Crown(1)));
    assert_eq!(crown.insert(entities[1], Crown(2)), Ok(None));
    assert_eq!(game.unique::<Crown>(), Some((entities[1], &Crown(2))));
}

#[test]
fn a_batch_keeps_the_entities_before_a_refused_one() {
    let ledger = Ledger::new();
    let mut game = Game::new();
    let batch = catch_unwind(AssertUnwindSafe(|| {
        game.spawn_batch((0..5).map(|n| (Name(n), Camera(ledger.token())))).count()
    }));
    assert!(batch.is_err());
    assert_eq!((game.entities().iter().count(), ledger.alive()), (1, 1));
    let spawned: Vec<Entity> = game.spawn_batch((0..5).map(|n| (Name(n), ()))).collect();
    assert_eq!(spawned.len(), 5);
    let mut other = Game::new();
    let one: Vec<Entity> = other.spawn_batch([(Name(7), Crown(7))]).collect();
    assert_eq!(other.get(one[0]), Some(&Name(7)));
}

#[test]
fn refused_commands_fail_with_a_reason() {
    let mut game = Game::new();
    game.on_failed_command(FailurePolicy::Call(|stray| {
        let why = stray.refused.expect("a rule refused it");
        assert!(matches!(why.reason, Reason::HeldBy(_)) && stray.to_string().contains("already has it"));
    }));
    let first = game.spawn(Crown(1));
    let second = game.spawn(Name(2));
    let (mut third, fourth) = (second, game.spawn(()));
    game.with_commands(|mut commands| {
        third = commands.spawn((Name(3), Crown(3)));
        commands.insert(second, Crown(2));
        commands.insert_if_new(fourth, Crown(2)).expect("nobody knows yet");
        commands.remove::<Crown>(first);
        commands.insert(second, Crown(4));
    });
    assert_eq!(game.stats().failed_commands, 3);
    assert!(!game.contains(third), "half an entity is not what was to be spawned");
    assert_eq!(game.unique::<Crown>(), Some((second, &Crown(4))));
}

#[test]
fn a_clone_has_a_holder_of_its_own() {
    let mut game = Game::new();
    let first = game.spawn(Crown(1));
    let mut copy = game.clone();
    copy.despawn(first).unwrap();
    assert!(copy.try_spawn(Crown(2)).is_ok());
    assert!(game.try_spawn(Crown(2)).is_err());
    game.get_tracked::<Crown>(first).unwrap().0 = 9;
    assert_eq!(game.unique::<Crown>(), Some((first, &Crown(9))));
}
