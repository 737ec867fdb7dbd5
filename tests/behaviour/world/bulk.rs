//! Verbs for many entities at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::component::Name;
use ecs::error::InsertError;
use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Health(u32);
#[derive(Component, Clone, PartialEq, Debug)]
struct Stunned;
#[derive(Component, Clone, PartialEq, Debug)]
#[component(removed)]
struct Loot(String);
#[derive(Component, PartialEq, Eq, Hash, Debug)]
#[component(key)]
struct Seat(u8);
#[derive(Component, PartialEq, Eq, Hash, Debug)]
#[component(index)]
struct Team(String);
#[derive(Component)]
struct Fuse(bool);
impl Drop for Fuse {
    fn drop(&mut self) {
        assert!(!self.0, "the fuse burns");
    }
}
#[derive(Relation)]
#[relation(exclusive, gone = cascade)]
struct PartOf(Entity);

world! {
    struct Game { components { Health, Stunned, Loot, Seat, Team, Fuse, PartOf, Name } }
}

fn healths(game: &Game) -> Vec<u32> {
    game.query::<&Health>().iter().map(|health| health.0).collect()
}

#[test]
fn despawn_all_counts_entities_that_are_despawned_with_others() {
    let mut game = Game::new();
    let ship = game.spawn(Stunned);
    let turret = game.spawn(PartOf(ship));
    game.spawn(PartOf(turret));
    let both = game.spawn(Stunned);
    game.insert(both, PartOf(ship)).unwrap(); // passes the filter, and is despawned with the ship
    game.spawn(Health(1));
    assert_eq!(game.despawn_all::<With<Stunned>>(), 4);
    assert_eq!(game.entities().len(), 1);
}

#[test]
fn a_panic_of_the_condition_despawns_nothing() {
    let mut game = Game::new();
    game.spawn_batch((0..10).map(Health));
    let broken = catch_unwind(AssertUnwindSafe(|| {
        game.retain::<&Health>(|health| {
            assert!(health.0 < 5, "enough");
            false
        })
    }));
    assert!(broken.is_err());
    assert_eq!(healths(&game), (0..10).collect::<Vec<_>>());
}

#[test]
fn a_panic_of_a_drop_stops_neither_despawn_all_nor_remove_all() {
    let fuses = || (0..200).map(|n| (Health(n), Fuse(n == 7)));
    let mut game = Game::new();
    game.spawn_batch(fuses());
    assert!(catch_unwind(AssertUnwindSafe(|| game.despawn_all::<With<Fuse>>())).is_err());
    assert_eq!(game.entities().len(), 0);
    game.spawn_batch(fuses());
    assert!(catch_unwind(AssertUnwindSafe(|| game.remove_all::<Fuse>())).is_err());
    assert_eq!((game.entities().len(), game.query::<&Fuse>().len()), (200, 0));
}

#[test]
fn remove_all_takes_a_bundle_from_every_entity_that_has_a_part_of_it() {
    let mut game = Game::new();
    game.spawn_batch((0..10).map(Health));
    game.spawn_batch((0..10).map(|n| (Health(n), Stunned)));
    game.spawn(Stunned);
    game.spawn(Loot("ring".into()));
    assert_eq!(game.remove_all::<(Health, Stunned)>(), 21);
    assert_eq!((game.query::<&Health>().len(), game.query::<&Stunned>().len()), (0, 0));
    assert_eq!((game.entities().len(), game.query::<&Loot>().len()), (22, 1));
    assert_eq!((game.remove_all::<()>(), game.remove_all::<Health>()), (0, 0));
}

#[test]
fn an_index_follows_remove_all() {
    let mut game = Game::new();
    let seats: Vec<Entity> = game.spawn_batch((0..4).map(Seat)).collect();
    assert_eq!(game.find_one::<Seat>(&Seat(2)), Some(seats[2]));
    game.remove_all::<Seat>();
    assert_eq!(game.find_one::<Seat>(&Seat(2)), None);
    assert!(game.insert(seats[0], Seat(2)).is_ok());
}

#[test]
fn insert_batch_stops_at_the_first_error_and_keeps_what_was_before() {
    let mut game = Game::new();
    let ids: Vec<Entity> = game.spawn_batch([(); 4]).collect();
    game.despawn(ids[2]).unwrap();
    let mut rest = ids.iter().map(|&entity| (entity, Health(1)));
    let error = game.insert_batch(rest.by_ref()).unwrap_err();
    assert!(matches!(error, InsertError::NoSuchEntity(_)), "{error:?}");
    assert!(error.to_string().contains(&ids[2].to_string()), "{error}");
    assert_eq!((healths(&game).len(), rest.len()), (2, 1));

    let refused = game.insert_batch([(ids[0], Seat(1)), (ids[1], Seat(1)), (ids[3], Seat(2))]).unwrap_err();
    assert!(matches!(refused, InsertError::Refused(_)), "{refused:?}");
    assert_eq!(game.query::<&Seat>().len(), 1);
    assert_eq!(game.insert_batch([(ids[1], (Health(5), Stunned))]), Ok(1));
    assert_eq!(game.get(ids[1]), Some(&Health(5)));
}

#[test]
fn get_or_insert_with_calls_the_function_only_where_the_component_is_missing() {
    let mut game = Game::new();
    let player = game.spawn(());
    game.get_or_insert_with(player, || Health(1)).unwrap().0 += 1;
    game.get_or_insert_with::<Health>(player, || unreachable!()).unwrap().0 += 1;
    assert_eq!(game.get(player), Some(&Health(3)));
    game.despawn(player).unwrap();
    assert!(game.get_or_insert_with::<Health>(player, || unreachable!()).is_err());
}

#[test]
fn values_are_found_by_a_borrowed_form_of_the_key() {
    let mut game = Game::new();
    let bob = game.spawn((Name::new("bob"), Team("red".to_owned())));
    assert_eq!(game.find_one::<Name>("bob"), Some(bob));
    assert_eq!(game.find_one::<Name>(&*"bob".to_owned()), Some(bob));
    assert_eq!(game.find::<Team>(&Team("red".to_owned())).collect::<Vec<_>>(), [bob]);
    assert_eq!(game.find::<Name>("eve").len(), 0);
}
