//! Bundles: spawned, inserted and removed together.

use ecs::error::{MissingError, NoSuchEntity, PresentError};
use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Position(i32);
#[derive(Component, Clone, PartialEq, Debug)]
struct Velocity(i32);
#[derive(Component, Clone, PartialEq, Debug)]
struct Name(String);
#[derive(Component, Clone, PartialEq, Debug)]
struct Frozen;

world! {
    struct Game { components { position: Position, Velocity, Name, Frozen } }
}

#[derive(Bundle)]
struct Body {
    position: Position,
    velocity: Velocity,
}

#[derive(Bundle)]
struct Named(Name, Body);

#[derive(Bundle)]
struct Tagged<B> {
    inner: B,
    tag: Frozen,
}

fn named() -> Named {
    Named(Name("n".into()), Body { position: Position(1), velocity: Velocity(2) })
}

#[test]
fn named_tuple_nested_and_generic_bundles_spawn_their_components() {
    let mut game = Game::new();
    let entity = game.spawn(Tagged { inner: named(), tag: Frozen });
    assert_eq!(game.get(entity), Some(&Position(1)));
    assert_eq!(game.get(entity), Some(&Velocity(2)));
    assert_eq!(game.get(entity), Some(&Name("n".into())));
    assert!(game.has::<Frozen>(entity));
    let tuple = game.spawn((Frozen, (Position(3), (Velocity(4),)), Name("t".into())));
    assert_eq!(game.query::<(&Position, &Velocity, &Name, &Frozen)>().len(), 2);
    assert_eq!(game.get(tuple), Some(&Velocity(4)));
}

#[test]
fn insert_into_a_despawned_entity_is_refused() {
    let mut game = Game::new();
    let entity = game.spawn(Position(1));
    game.despawn(entity).unwrap();
    assert_eq!(game.insert(entity, Position(2)), Err(NoSuchEntity { entity, world: "Game" }.into()));
    assert!(game.query::<&Position>().is_empty());
}

#[test]
fn try_insert_refuses_a_present_component_and_changes_nothing() {
    let mut game = Game::new();
    let entity = game.spawn(Position(1));
    let error = game.insert_if_new(entity, (Velocity(2), Position(3)));
    assert_eq!(error, Err(PresentError::Present { entity, component: "Position", world: "Game" }));
    assert_eq!((game.get(entity), game.has::<Velocity>(entity)), (Some(&Position(1)), false));
    assert_eq!(game.insert_if_new(entity, (Velocity(2), Frozen)), Ok(()));
    assert_eq!(game.get(entity), Some(&Velocity(2)));
    game.despawn(entity).unwrap();
    let error = game.insert_if_new(entity, Velocity(2));
    assert_eq!(error, Err(PresentError::NoSuchEntity(NoSuchEntity { entity, world: "Game" })));
}

#[test]
fn remove_returns_the_present_components() {
    let mut game = Game::new();
    let entity = game.spawn((Position(1), Frozen));
    assert_eq!(game.remove::<(Position, Velocity)>(entity), Ok((Some(Position(1)), None)));
    assert_eq!(game.remove::<(Position, Velocity)>(entity), Ok((None, None)));
    assert!(game.contains(entity) && game.has::<Frozen>(entity));
    assert_eq!(game.remove::<Tagged<Body>>(entity), Ok(((None, None), Some(Frozen))));
    game.despawn(entity).unwrap();
    assert_eq!(game.remove::<Position>(entity), Err(NoSuchEntity { entity, world: "Game" }));
}

#[test]
fn try_remove_is_all_or_nothing() {
    let mut game = Game::new();
    let entity = game.spawn((Position(1), Frozen));
    let error = game.try_remove::<(Position, Velocity)>(entity);
    assert_eq!(error, Err(MissingError::Missing { entity, component: "Velocity", world: "Game" }));
    assert_eq!(game.get(entity), Some(&Position(1)));
    assert_eq!(game.try_remove::<(Frozen, Position)>(entity), Ok((Frozen, Position(1))));
    assert!(game.try_remove::<Frozen>(entity).is_err() && game.contains(entity));
    let error = game.try_remove::<Frozen>(Entity::from_bits(1 << 32 | 5).unwrap());
    assert!(matches!(error, Err(MissingError::NoSuchEntity(_))));
}

#[test]
fn try_remove_gives_the_bundle_back_as_it_was() {
    let mut game = Game::new();
    let entity = game.spawn(Tagged { inner: named(), tag: Frozen });
    let Tagged { inner: Named(name, body), tag: Frozen } = game.try_remove::<Tagged<Named>>(entity).unwrap();
    assert_eq!((name, body.position, body.velocity), (Name("n".into()), Position(1), Velocity(2)));
    assert_eq!(game.entity(entity).unwrap().components().count(), 0);
}

#[test]
fn bundles_spawn_in_batches() {
    let mut game = Game::new();
    let bundles = (0..100).map(|n| Tagged { inner: (Position(n), Name(n.to_string())), tag: Frozen });
    let entities: Vec<Entity> = game.spawn_batch(bundles).collect();
    for (n, &entity) in entities.iter().enumerate() {
        assert_eq!(game.get(entity), Some(&Position(n as i32)));
        assert_eq!(game.get(entity), Some(&Name(n.to_string())));
    }
    assert_eq!(game.query::<&Frozen>().len(), 100);
}

#[test]
fn a_bundle_may_have_more_than_twelve_fields() {
    macro_rules! components {
        ($($name:ident)*) => {$(
            #[derive(Component, PartialEq, Debug)]
            struct $name(u8);
        )*};
    }
    components!(C0 C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12 C13 C14);
    world! {
        struct Many { components { C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14 } }
    }
    #[derive(Bundle)]
    struct All(C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14);
    let all = || {
        All(
            C0(0),
            C1(1),
            C2(2),
            C3(3),
            C4(4),
            C5(5),
            C6(6),
            C7(7),
            C8(8),
            C9(9),
            C10(10),
            C11(11),
            C12(12),
            C13(13),
            C14(14),
        )
    };
    let mut many = Many::new();
    let entity = many.spawn(all());
    assert_eq!(many.entity(entity).unwrap().components().count(), 15);
    let back = many.try_remove::<All>(entity).unwrap();
    assert_eq!((back.0, back.12, back.14), (C0(0), C12(12), C14(14)));
    many.insert(entity, all()).unwrap();
    assert_eq!(many.get(entity), Some(&C13(13)));
}
