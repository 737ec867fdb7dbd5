//! Clones of single entities.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::component::{Name, StableId};
use ecs::error::NoSuchEntity;
use ecs::prelude::*;
use ecs::world::MoveComponents;
use ecs_tests::{Ledger, Token};

#[derive(Component, Clone, PartialEq, Debug)]
struct Position(i32);

#[derive(Component, Clone, PartialEq, Debug)]
struct Frozen;

#[derive(Component, Clone)]
struct Held(#[allow(dead_code)] Token);

#[derive(Component, Clone, PartialEq, Debug)]
#[component(unique)]
struct Crown(u32);

#[derive(Component, Clone, PartialEq, Eq, Hash, Debug)]
#[component(index)]
struct Team(u8);

/// A component whose `Clone` panics.
#[derive(Component)]
struct Shy(bool);

impl Clone for Shy {
    fn clone(&self) -> Self {
        assert!(!self.0, "leave me alone");
        Self(false)
    }
}

world! {
    #[derive(Clone)]
    struct Game {
        components {
            Position, Frozen, Held, Crown, Team, Name, StableId, Shy,
            #[cfg(any())]
            left_out: LeftOut,
        }
        resources { seen: Seen = Seen(0) }
    }
    schedule tick { watch }
}

#[derive(Resource, Clone)]
struct Seen(usize);

#[system(Game)]
fn watch(born: Entered<With<Position>>, mut seen: ResMut<Seen>) {
    seen.0 += born.len();
}

#[test]
fn a_component_that_is_left_out_is_not_cloned() {
    let mut game = Game::new();
    let one = game.spawn((Position(1), Shy(true), Frozen, Team(3)));
    let two = game.clone_entity_without::<(Shy, Frozen)>(one).unwrap();
    assert_eq!((game.get(two), game.has::<Frozen>(two)), (Some(&Position(1)), false));
    assert!(!game.has::<Shy>(two) && game.find::<Team>(&Team(3)).eq([one, two]));
    assert!(catch_unwind(AssertUnwindSafe(|| game.clone_entity_without::<Frozen>(one))).is_err());
    assert_eq!(game.entities().len(), 2);
    game.despawn(one).unwrap();
    assert!(game.clone_entity_without::<Shy>(one).is_err());
}

#[test]
fn a_clone_has_the_components_of_the_entity() {
    let ledger = Ledger::new();
    let mut game = Game::new();
    let one = game.spawn((Position(1), Held(ledger.token()), Team(3), Name::new("bob")));
    game.insert(one, Frozen).unwrap();
    game.tick();
    let other = game.clone_entity(one).unwrap();
    assert!(game.contains(other) && other != one);
    assert_eq!((game.get(other), game.get(other)), (Some(&Position(1)), Some(&Frozen)));
    assert_eq!(
        game.entity(one).unwrap().components().collect::<Vec<_>>(),
        game.entity(other).unwrap().components().collect::<Vec<_>>()
    );
    assert_eq!((ledger.alive(), game.find::<Team>(&Team(3)).collect::<Vec<_>>().len()), (2, 2));
    assert_eq!(game.columns().name.find("bob").len(), 2);
    game.tick();
    assert_eq!(game.resource::<Seen>().0, 2);
    game.despawn(other).unwrap();
    assert_eq!(
        (ledger.alive(), game.clone_entity(other)),
        (1, Err(NoSuchEntity { entity: other, world: "Game" }))
    );
    let bare = game.spawn(());
    let bare = game.clone_entity(bare).unwrap();
    assert_eq!(game.entity(bare).unwrap().components().count(), 0);
}

#[test]
fn unique_components_and_keys_are_not_cloned() {
    let mut game = Game::new();
    let king = game.spawn((Position(1), Crown(1), StableId(7)));
    let other = game.clone_entity(king).unwrap();
    assert_eq!(game.entity(other).unwrap().components().collect::<Vec<_>>(), ["Position"]);
    assert_eq!(
        (game.unique::<Crown>().unwrap().0, game.find_one::<StableId>(&StableId(7))),
        (king, Some(king))
    );
}

#[test]
fn a_clone_that_panics_leaves_no_entity() {
    let ledger = Ledger::new();
    let mut game = Game::new();
    let shy = game.spawn((Held(ledger.token()), Shy(true), Team(1)));
    assert!(catch_unwind(AssertUnwindSafe(|| game.clone_entity(shy))).is_err());
    assert_eq!((game.entities().len(), ledger.alive(), game.find::<Team>(&Team(1)).len()), (1, 1, 1));
    game.columns_mut().shy.get_mut(shy).unwrap().0 = false;
    assert!(game.clone_entity(shy).is_ok());
}

#[test]
fn clones_lie_side_by_side() {
    let mut game = Game::new();
    let first = game.spawn((Position(0), Frozen));
    let slots: Vec<u32> = (0..10).map(|_| game.clone_entity(first).unwrap().slot()).collect();
    assert_eq!(slots, (first.slot() + 1..first.slot() + 11).collect::<Vec<_>>());
}
