//! Values with wrong `Ord` impls, with interior mutability, and with panics in `Ord`. An ordered
//! index may then have a wrong order, but finds live entities with a value, and the world stays
//! usable.

use std::cell::Cell;
use std::cmp::Ordering;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ecs::prelude::*;
use ecs_tests::{Ledger, Token};

thread_local! {
    /// The behaviour of the next calls of `Ord`.
    static MOOD: Cell<Mood> = const { Cell::new(Mood::Honest) };
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mood {
    Honest,
    Lies,
    Panics,
    /// One call of four.
    PanicsSometimes,
}

#[derive(Component, Clone)]
#[component(index(ordered))]
struct Liar(u32, #[allow(dead_code)] Token);

#[derive(Component, Clone)]
#[component(key(ordered))]
struct KeyLiar(u32, #[allow(dead_code)] Token);

macro_rules! lies {
    ($($liar:ident)*) => {$(
        impl Ord for $liar {
            fn cmp(&self, other: &Self) -> Ordering {
                let calls = CALLS.get().wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                CALLS.set(calls);
                match MOOD.get() {
                    Mood::Panics => panic!("cmp"),
                    Mood::PanicsSometimes if calls >> 16 & 3 == 0 => panic!("cmp"),
                    Mood::Lies => [Ordering::Less, Ordering::Equal, Ordering::Greater][(calls >> 16) as usize % 3],
                    _ => self.0.cmp(&other.0),
                }
            }
        }
        impl PartialOrd for $liar {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }
        impl PartialEq for $liar {
            fn eq(&self, other: &Self) -> bool {
                self.cmp(other) == Ordering::Equal
            }
        }
        impl Eq for $liar {}
    )*};
}
/// A second index, for verbs that touch several.
#[derive(Component, Clone)]
#[component(index(ordered))]
struct OtherLiar(u32, #[allow(dead_code)] Token);

lies!(Liar KeyLiar OtherLiar);

/// Changes the value without a change of the index.
#[derive(Component)]
#[component(index(ordered, by = u32))]
struct Shifty(AtomicU32);

impl From<&Shifty> for u32 {
    fn from(shifty: &Shifty) -> Self {
        shifty.0.load(Relaxed)
    }
}

world! {
    #[derive(Clone)]
    struct Court {
        components { liar: Liar, key: KeyLiar, other: OtherLiar }
    }
    schedule tick { touch; ask }
}

world! {
    struct Alley { components { shifty: Shifty } }
}

#[system(Court)]
fn touch(mut liar: Mut<Liar>) {
    liar.0 += 0;
}

#[system(Court)]
fn ask(lookup: Lookup<Liar>) {
    for entity in lookup.find_range(..) {
        assert!(lookup.get(entity).is_some());
    }
}

fn in_mood<R>(mood: Mood, f: impl FnOnce() -> R) -> Option<R> {
    MOOD.set(mood);
    let result = catch_unwind(AssertUnwindSafe(f)).ok();
    MOOD.set(Mood::Honest);
    result
}

/// Asserts that every found entity is alive and has a value, each once, and none is missing. After
/// all values were written again, they are in order.
fn is_sane(court: &mut Court, ledger: &Ledger) {
    let mut found: Vec<Entity> = court.find_range::<Liar>(..).collect();
    assert_eq!(court.find_range::<Liar>(..).len(), found.len());
    found.sort_unstable();
    let all: Vec<Entity> = court.query::<(Entity, &Liar)>().iter().map(|(entity, _)| entity).collect();
    assert_eq!(found, all);
    for low in 0..40 {
        let within = Liar(low, ledger.token())..Liar(low + 5, ledger.token());
        assert!(court.find_range::<Liar>(within).all(|entity| court.has::<Liar>(entity)));
        let holder = court.find_one::<KeyLiar>(&KeyLiar(low, ledger.token()));
        assert!(holder.is_none_or(|entity| court.get::<KeyLiar>(entity).unwrap().0 == low));
    }
    court.tick();
    for entity in all {
        let value = court.get::<Liar>(entity).unwrap().clone();
        court.insert(entity, value).unwrap();
    }
    let order: Vec<u32> =
        court.find_range::<Liar>(..).map(|entity| court.get::<Liar>(entity).unwrap().0).collect();
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn every_verb_in_every_mood() {
    for mood in [Mood::Honest, Mood::Lies, Mood::Panics, Mood::PanicsSometimes] {
        let ledger = Ledger::new();
        let mut court = Court::new();
        // more than a block of the index, and more than are placed one by one
        let ids: Vec<Entity> = (0..700)
            .map(|n| court.spawn((Liar(n % 50, ledger.token()), KeyLiar(n, ledger.token()))))
            .collect();
        let court_ref = &mut court;
        in_mood(mood, || court_ref.spawn(Liar(7, ledger.token())));
        is_sane(court_ref, &ledger);
        in_mood(mood, || court_ref.insert(ids[3], Liar(8, ledger.token())).map(drop));
        in_mood(mood, || court_ref.insert(ids[3], KeyLiar(4, ledger.token())).map(drop));
        in_mood(mood, || court_ref.try_spawn(KeyLiar(4, ledger.token())).map(drop));
        is_sane(court_ref, &ledger);
        in_mood(mood, || court_ref.remove::<(Liar, KeyLiar)>(ids[4]).map(drop));
        in_mood(mood, || court_ref.despawn(ids[5]));
        in_mood(mood, || court_ref.columns_mut().liar.remove(ids[6]).map(drop));
        in_mood(mood, || court_ref.columns_mut().liar.insert(ids[6], Liar(3, ledger.token())).map(drop));
        in_mood(mood, || court_ref.columns_mut().liar.iter_mut().for_each(|(_, mut liar)| liar.0 += 1));
        in_mood(mood, || court_ref.find_range::<Liar>(..).rev().count());
        in_mood(mood, || court_ref.tick());
        in_mood(mood, || court_ref.tick());
        is_sane(court_ref, &ledger);
        in_mood(mood, || court_ref.clone_entity(ids[7]).map(drop));
        in_mood(mood, || court_ref.get_tracked::<Liar>(ids[11]).map(|mut liar| liar.0 = 9));
        in_mood(mood, || court_ref.find::<Liar>(&Liar(2, ledger.token())).count());
        in_mood(mood, || court_ref.swap::<Liar>(ids[12], ids[13]));
        in_mood(mood, || drop(court_ref.regroup()));
        in_mood(mood, || {
            court_ref.with_commands(|mut commands| {
                commands.spawn((Liar(2, ledger.token()), KeyLiar(900, ledger.token())));
            });
        });
        in_mood(mood, || court_ref.spawn_batch((0..5).map(|n| Liar(n, ledger.token()))).count());
        in_mood(mood, || court_ref.shrink_to_fit());
        is_sane(court_ref, &ledger);
        let mut copy = in_mood(mood, || court_ref.clone()).expect("nothing is compared");
        is_sane(&mut copy, &ledger);
        in_mood(mood, || copy.clear());
        assert_eq!(copy.find_range::<Liar>(..).count(), 0);
        drop((copy, court));
        ledger.assert_settled();
    }
}

#[test]
fn a_value_whose_comparison_panics_once_is_found_and_does_not_stop_the_schedule() {
    let ledger = Ledger::new();
    let mut court = Court::new();
    let first = court.spawn(Liar(5, ledger.token()));
    let id = court.spawn(());
    assert!(in_mood(Mood::Panics, || court.insert(id, Liar(1, ledger.token())).map(drop)).is_none());
    assert!(court.find_range::<Liar>(..).eq([id, first]));
    court.get_tracked::<Liar>(id).unwrap().0 = 7;
    assert!(in_mood(Mood::Panics, || court.tick()).is_none());
    assert!(court.find_range::<Liar>(..).eq([first, id]));
    court.tick();
    assert!(court.find_range::<Liar>(..).eq([first, id]));
    court.remove::<Liar>(id).unwrap();
    assert!(court.find_range::<Liar>(..).eq([first]));
    drop(court);
    ledger.assert_settled();
}

#[test]
fn two_indexes_whose_comparison_panics_do_not_stop_a_swap_or_a_regroup() {
    let ledger = Ledger::new();
    let mut court = Court::new();
    let ids: Vec<Entity> =
        (0..40).map(|i| court.spawn((Liar(i, ledger.token()), KeyLiar(i, ledger.token())))).collect();
    for &id in &ids[10..30] {
        court.remove::<Liar>(id).unwrap();
    }
    in_mood(Mood::Panics, || court.regroup());
    in_mood(Mood::Panics, || court.swap::<(Liar, KeyLiar)>(ids[0], ids[39]).map(drop));
    is_sane(&mut court, &ledger);
    drop(court);
    ledger.assert_settled();
}

#[test]
fn all_components_move_although_the_comparisons_of_several_panic() {
    let ledger = Ledger::new();
    let mut court = Court::new();
    let new = |i| (Liar(i, ledger.token()), OtherLiar(i, ledger.token()));
    let ids: Vec<Entity> = (0..20).map(|i| court.spawn(new(i))).collect();
    let empty = court.spawn(());
    assert!(in_mood(Mood::Panics, || court.move_all_components(ids[3], empty)).is_none());
    assert!(!court.has::<Liar>(ids[3]) && !court.has::<OtherLiar>(ids[3]));
    assert_eq!((court.get::<Liar>(empty).unwrap().0, court.get::<OtherLiar>(empty).unwrap().0), (3, 3));
    is_sane(&mut court, &ledger);
    drop(court);
    ledger.assert_settled();
}

#[test]
fn a_panic_among_many_values_leaves_out_none_of_them() {
    let ledger = Ledger::new();
    let mut court = Court::new();
    let ids: Vec<Entity> = (0..2000).map(|i| court.spawn(Liar(i, ledger.token()))).collect();
    court.tick();
    court.query_mut::<Mut<Liar>>().for_each(|mut liar| liar.0 ^= 1);
    assert!(in_mood(Mood::Panics, || court.tick()).is_none());
    court.tick();
    let order: Vec<u32> = court.find_range::<Liar>(..).map(|id| court.get::<Liar>(id).unwrap().0).collect();
    assert_eq!(order.len(), ids.len());
    assert!(order.is_sorted());
    drop(court);
    ledger.assert_settled();
}

#[test]
fn lookups_in_exchanged_columns_find_entities_of_their_world() {
    let ledger = Ledger::new();
    let (mut many, mut few) = (Court::new(), Court::new());
    let ids: Vec<Entity> =
        (0..300).map(|n| many.spawn((Liar(n % 3, ledger.token()), KeyLiar(n, ledger.token())))).collect();
    let only = few.spawn(Liar(2, ledger.token()));
    mem::swap(&mut many.liar, &mut few.liar);
    mem::swap(&mut many.key, &mut few.key);
    assert!(few.find_range::<Liar>(..).all(|entity| entity == only));
    assert!(few.find_range::<Liar>(..).rev().all(|entity| entity == only));
    assert!(many.find_range::<Liar>(..).all(|entity| ids.contains(&entity)));
    assert!(few.find_last::<Liar>().is_none_or(|(entity, _)| entity == only));
    few.spawn((Liar(2, ledger.token()), KeyLiar(5, ledger.token())));
    few.tick();
    for &id in &ids {
        many.despawn(id).unwrap();
    }
    assert_eq!(many.find_range::<Liar>(..).count(), 0);
    many.tick();
    is_sane(&mut many, &ledger);
    drop((many, few));
    ledger.assert_settled();
}

#[test]
fn values_that_change_behind_the_index_are_found_once() {
    let mut alley = Alley::new();
    let ids: Vec<Entity> = (0..1000).map(|n| alley.spawn(Shifty(AtomicU32::new(n)))).collect();
    for (n, &id) in ids.iter().enumerate() {
        alley.get::<Shifty>(id).unwrap().0.store(n as u32 * 7919 % 1000, Relaxed);
    }
    for low in 0..1000 {
        assert!(alley.find_range::<Shifty>(low..low + 9).all(|entity| alley.contains(entity)));
    }
    for &id in &ids {
        let value = alley.get::<Shifty>(id).unwrap().0.load(Relaxed);
        alley.insert(id, Shifty(AtomicU32::new(value))).unwrap();
    }
    let mut found: Vec<Entity> = alley.find_range::<Shifty>(..).collect();
    found.sort_unstable();
    assert_eq!(found, ids);
}
