//! Parameters: `Local`, `Storage`, aliases of them, and writing out lifetimes.

use ecs::error::NoSuchEntity;
use ecs::prelude::*;
use ecs_tests::{Ledger, Token};

#[derive(Component, PartialEq, Debug)]
struct Health(i32);
#[derive(Component, PartialEq, Debug)]
struct Burning(u32);
#[derive(Component)]
struct Marked;
#[derive(Component)]
struct Held(#[allow(dead_code)] Token);
#[derive(Component, Default, PartialEq, Debug)]
struct Base;
#[derive(Component)]
#[component(requires(Base))]
struct Top;
#[derive(Resource)]
struct Mint(Ledger);

world! {
    struct Game {
        components { Health, Burning, Marked, Held, Base, Top }
        resources { Mint = Mint(Ledger::new()) }
    }
}

/// Inserts and removes values of one column while others are iterated.
#[system(Game)]
fn ignite(mut bodies: Query<(Entity, &mut Health), With<Marked>>, mut burning: Storage<Burning>) {
    for (entity, health) in &mut bodies {
        match burning.get_mut(entity) {
            Some(Burning(left @ 1..)) => *left -= 1,
            Some(_) => assert_eq!(burning.remove(entity), Some(Burning(0))),
            None => assert_eq!(burning.insert(entity, Burning(2)), Ok(None)),
        }
        health.0 -= i32::from(burning.contains(entity));
    }
}

#[system(Game)]
fn hold(entity: Entity, health: &Health, mut held: Storage<Held>, mint: Res<Mint>) {
    if health.0 % 2 == 0 {
        drop(held.insert(entity, Held(mint.0.token())).unwrap());
    } else {
        held.remove(entity);
    }
}

#[test]
fn storage_adds_and_removes_a_component_while_others_are_iterated() {
    let mut game = Game::default();
    let entities: Vec<Entity> = game.spawn_batch((0..150).map(|n| (Health(n), Marked))).collect();
    let unmarked = game.spawn(Health(5));
    let expect = |game: &Game, burning: Option<u32>, lost: i32| {
        for (n, &entity) in entities.iter().enumerate() {
            assert_eq!(game.get::<Burning>(entity).map(|b| b.0), burning);
            assert_eq!(game.get(entity), Some(&Health(n as i32 - lost)));
        }
        assert!(!game.has::<Burning>(unmarked));
    };
    for (burning, lost) in [(Some(2), 1), (Some(1), 2), (Some(0), 3), (None, 3), (Some(2), 4)] {
        game.run::<ignite>();
        expect(&game, burning, lost);
    }
    game.despawn(entities[0]).unwrap();
    assert_eq!(game.query::<&Burning>().len(), 149, "what a storage inserted is despawned too");
}

#[test]
fn storage_drops_once() {
    let mut game = Game::default();
    let ledger = game.resource::<Mint>().0.clone();
    let entities: Vec<Entity> = (0..100).map(|n| game.spawn(Health(n))).collect();
    game.run::<hold>();
    assert_eq!(ledger.alive(), 50);
    game.run::<hold>();
    assert_eq!(ledger.alive(), 50);
    for (n, &entity) in entities.iter().enumerate() {
        game.get_mut::<Health>(entity).unwrap().0 = 1;
        if n % 4 == 0 {
            game.despawn(entity).unwrap();
        }
    }
    assert_eq!(ledger.alive(), 25);
    game.run::<hold>();
    ledger.assert_settled();
}

#[test]
fn storage_checks_that_entities_are_alive() {
    #[system(Game)]
    fn probe(mut burning: Storage<Burning>, mut entity: Local<Option<Entity>>) -> bool {
        let entity = entity.take().or(Entity::from_bits(u64::MAX >> 1)).unwrap();
        assert!(burning.get(entity).is_none() && burning.get_mut(entity).is_none());
        assert_eq!((burning.remove(entity), burning.contains(entity)), (None, false));
        burning.insert(entity, Burning(1)) == Err(NoSuchEntity { entity, world: "Game" }.into())
    }
    let mut game = Game::default();
    game.spawn(Burning(5));
    assert!(game.run::<probe>());
    assert_eq!(game.query::<&Burning>().single(), Ok(&Burning(5)));
}

#[test]
fn storage_is_walked() {
    #[system(Game)]
    fn double(mut burning: Storage<Burning>) -> (usize, u32) {
        for (_, burning) in burning.iter_mut() {
            burning.0 *= 2;
        }
        assert_eq!((burning.is_empty(), burning.iter().count()), (false, burning.len()));
        (burning.len(), burning.iter().map(|(_, burning)| burning.0).sum())
    }
    let mut game = Game::default();
    game.spawn_batch((0..10).map(Burning));
    assert_eq!(game.run::<double>(), (10, 90));
}

#[test]
fn storage_inserts_only_the_given_component() {
    #[system(Game)]
    fn top(entity: Entity, _: With<Marked>, mut tops: Storage<Top>) {
        tops.insert(entity, Top).unwrap();
    }
    let mut game = Game::default();
    let entity = game.spawn(Marked);
    game.run::<top>();
    assert!(game.has::<Top>(entity) && !game.has::<Base>(entity));
}

#[test]
fn two_storages_go_together() {
    #[system(Game)]
    fn exchange(
        entities: Query<(Entity, &Marked)>,
        mut burning: Storage<Burning>,
        mut health: Storage<Health>,
    ) {
        for (entity, _) in &entities {
            let old = burning.remove(entity).map_or(0, |burning| burning.0);
            let health = health.insert(entity, Health(old as i32)).unwrap().map_or(0, |health| health.0);
            burning.insert(entity, Burning(health as u32)).unwrap();
        }
    }
    let mut game = Game::default();
    let entity = game.spawn((Health(3), Burning(4), Marked));
    let other = game.spawn(Marked);
    game.run::<exchange>();
    assert_eq!((game.get(entity), game.get(entity)), (Some(&Health(4)), Some(&Burning(3))));
    assert_eq!((game.get(other), game.get(other)), (Some(&Health(0)), Some(&Burning(0))));
}

type Bodies<'w> = Query<'w, (Entity, &'static mut Health), Without<Marked>>;
type Count<'w> = Local<'w, u32>;

#[system(Game)]
fn aliased(mut bodies: Bodies<'_>, mut count: Count<'_>, mint: Res<'_, Mint>) -> u32 {
    for (_, health) in &mut bodies {
        health.0 += 1;
        *count += 1;
    }
    let _ = mint.0.alive();
    *count
}

#[test]
fn parameters_may_be_aliases_with_lifetimes() {
    let mut game = Game::default();
    game.spawn((Health(1), Marked));
    let entity = game.spawn(Health(1));
    assert_eq!(game.run::<aliased>(), 1);
    assert_eq!(game.get(entity), Some(&Health(2)));
}

#[test]
fn queries_that_filters_keep_apart_go_together() {
    #[system(Game)]
    fn apart(
        mut marked: Query<&mut Health, With<Marked>>,
        mut others: Query<&mut Health, (Without<Marked>, Without<Burning>)>,
    ) -> (usize, usize) {
        marked.for_each(|health| health.0 = 1);
        others.iter_mut().for_each(|health| health.0 = 2);
        for (one, two) in marked.iter_mut().zip(others.iter_mut()) {
            std::mem::swap(one, two);
        }
        (marked.len(), others.len())
    }
    let mut game = Game::default();
    let marked: Vec<Entity> = game.spawn_batch((0..70).map(|n| (Health(n), Marked))).collect();
    let others: Vec<Entity> = game.spawn_batch((0..70).map(Health)).collect();
    assert_eq!(game.run::<apart>(), (70, 70));
    assert!(marked.iter().all(|&entity| game.get(entity) == Some(&Health(2))));
    assert!(others.iter().all(|&entity| game.get(entity) == Some(&Health(1))));
}
