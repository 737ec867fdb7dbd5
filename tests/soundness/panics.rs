//! User types that panic in all user code that the library calls.

use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, burn};

use super::bomb::{assert_settled, token};
use super::ground::{Ledger, Token};

/// A value that burns the fuse in `Default`, `Clone` and `Drop`.
#[derive(Component)]
struct Mine(Token);

impl Default for Mine {
    fn default() -> Self {
        burn("a default");
        Self(token())
    }
}

impl Clone for Mine {
    fn clone(&self) -> Self {
        burn("a clone");
        Self(self.0.clone())
    }
}

impl Drop for Mine {
    fn drop(&mut self) {
        burn("a drop");
    }
}

#[derive(Component, Clone)]
#[component(requires(Second))]
struct First(#[allow(dead_code)] Token);
#[derive(Component, Clone)]
#[component(requires(Mine, Third))]
struct Second(#[allow(dead_code)] Token);
#[derive(Component, Clone)]
struct Third(#[allow(dead_code)] Token);

impl Default for Second {
    fn default() -> Self {
        burn("a default");
        Self(token())
    }
}

impl Default for Third {
    fn default() -> Self {
        burn("a default");
        Self(token())
    }
}

world! {
    #[derive(Clone)]
    struct Field { components { Third, First, Mine, Second } }
}

/// Asserts that the counts agree, each live entity is complete, and every value has an entity.
fn assert_whole(field: &Field) {
    let whole = field.query::<(&First, &Second, &Third, &Mine)>().len();
    assert_eq!((field.entities().len(), field.entities().iter().count()), (whole, whole));
    let lens = [
        field.query::<&First>().len(),
        field.query::<&Second>().len(),
        field.query::<&Third>().len(),
        field.query::<&Mine>().len(),
    ];
    assert_eq!(lens, [whole; 4]);
    assert_eq!(Ledger::of_thread().alive(), whole * 4);
    assert!(field.query::<&Mine>().iter().all(|mine| mine.0.number() > 0));
}

#[test]
fn spawning_is_all_or_nothing_wherever_a_default_panics() {
    let mut field = Field::new();
    for at in 1..=3 {
        field.spawn(First(token()));
        assert!(blows_up(at, || field.spawn(First(token()))));
        assert_whole(&field);
    }
    drop(field);
    assert_settled();
}

#[test]
fn a_batch_keeps_whole_entities_wherever_a_default_panics() {
    for at in [1, 2, 3, 4, 90, 191, 192, 193, 300, 580, 600] {
        let mut field = Field::new();
        field.spawn(First(token()));
        assert!(blows_up(at, || field.spawn_batch((0..200).map(|_| First(token()))).len()));
        assert_whole(&field);
        field.spawn_batch((0..100).map(|_| First(token())));
        assert_whole(&field);
        drop(field);
        assert_settled();
    }
}

#[test]
fn a_clone_is_all_or_nothing_wherever_it_panics() {
    let mut field = Field::new();
    field.spawn_batch((0..150).map(|_| First(token())));
    for at in [1, 75, 150] {
        assert!(blows_up(at, || field.clone()));
        assert_whole(&field);
    }
    drop(field);
    assert_settled();
}

#[test]
fn despawning_drops_the_rest_wherever_a_drop_panics() {
    let mut field = Field::new();
    let ids: Vec<Entity> = (0..100).map(|_| field.spawn(First(token()))).collect();
    for &id in &ids[..50] {
        assert!(blows_up(1, || field.despawn(id)));
        assert_whole(&field);
    }
    let mut entities = field.entities().len();
    for &id in &ids[50..60] {
        assert!(blows_up(1, || field.entity_mut(id).unwrap().despawn()));
        entities -= 1;
        assert_eq!(field.entities().len(), entities);
        assert_whole(&field);
    }
    drop(field);
    assert_settled();
}

#[test]
fn clearing_drops_the_rest_wherever_a_drop_panics() {
    for at in [1, 2, 50, 99, 100] {
        let mut field = Field::new();
        field.spawn_batch((0..100).map(|_| First(token())));
        assert!(blows_up(at, || field.clear()));
        assert_whole(&field);
        field.spawn_batch((0..100).map(|_| First(token())));
        assert_whole(&field);
        drop(field);
        assert_settled();
    }
}

#[test]
fn a_world_drops_the_rest_wherever_a_drop_panics() {
    for at in [1, 2, 50, 100] {
        let mut field = Field::new();
        field.spawn_batch((0..100).map(|_| First(token())));
        assert!(blows_up(at, || drop(field)));
        assert_settled();
    }
}

#[test]
fn replacing_and_removing_give_the_value_before_it_can_panic() {
    let mut field = Field::new();
    let id = field.spawn(First(token()));
    assert!(blows_up(1, || drop(field.insert(id, Mine(token())))));
    assert_whole(&field);
    assert!(blows_up(1, || *field.get_mut::<Mine>(id).unwrap() = Mine(token())));
    assert_whole(&field);
    assert!(blows_up(1, || drop(field.remove::<Mine>(id))));
    assert!(!field.has::<Mine>(id));
    drop(field);
    assert_settled();
}

#[test]
fn a_loop_that_panics_leaves_every_value_in_place() {
    let mut field = Field::new();
    field.spawn_batch((0..200).map(|_| First(token())));
    let poke = |_: &mut Mine| burn("a loop");
    assert!(blows_up(100, || field.query_mut::<&mut Mine>().for_each(poke)));
    assert!(blows_up(100, || field.query_mut::<&mut Mine>().into_iter().for_each(poke)));
    assert!(blows_up(100, || field.columns_mut().mine.iter_mut().for_each(|(_, mine)| poke(mine))));
    assert!(blows_up(2, || field
        .query_mut::<&mut Mine>()
        .chunks_mut()
        .for_each(|chunk| chunk.iter_mut().for_each(poke))));
    assert_whole(&field);
    drop(field);
    assert_settled();
}
