//! Values with wrong `Hash` and `Eq` impls, with interior mutability, and with panics in these
//! traits. An index may then find a wrong entity, but a live one with a value, and the world stays
//! usable.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use ecs::prelude::*;
use ecs_tests::{Ledger, Token};

thread_local! {
    /// The behaviour of the next calls of `Hash` and `Eq`.
    static MOOD: Cell<Mood> = const { Cell::new(Mood::Honest) };
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

#[derive(Clone, Copy, PartialEq)]
enum Mood {
    Honest,
    HashLies,
    HashPanics,
    EqLies,
    EqPanics,
}

#[derive(Component, Clone)]
#[component(index)]
struct Liar(u32, #[allow(dead_code)] Token);

#[derive(Component, Clone)]
#[component(key)]
struct KeyLiar(u32, #[allow(dead_code)] Token);

macro_rules! lies {
    ($($liar:ident)*) => {$(
        impl Hash for $liar {
            fn hash<H: Hasher>(&self, state: &mut H) {
                let calls = CALLS.get();
                CALLS.set(calls.wrapping_add(1));
                match MOOD.get() {
                    Mood::HashPanics => panic!("hash"),
                    Mood::HashLies => calls.hash(state),
                    _ => self.0.hash(state),
                }
            }
        }
        impl PartialEq for $liar {
            fn eq(&self, other: &Self) -> bool {
                let calls = CALLS.get();
                CALLS.set(calls.wrapping_add(1));
                match MOOD.get() {
                    Mood::EqPanics => panic!("eq"),
                    Mood::EqLies => calls % 2 == 0,
                    _ => self.0 == other.0,
                }
            }
        }
        impl Eq for $liar {}
    )*};
}
lies!(Liar KeyLiar);

/// Changes the value without a change of the index.
#[derive(Component)]
#[component(index)]
struct Shifty(AtomicU32);

impl Hash for Shifty {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.load(Ordering::Relaxed).hash(state);
    }
}
impl PartialEq for Shifty {
    fn eq(&self, other: &Self) -> bool {
        self.0.load(Ordering::Relaxed) == other.0.load(Ordering::Relaxed)
    }
}
impl Eq for Shifty {}

world! {
    #[derive(Clone)]
    struct Court {
        components { liar: Liar, key: KeyLiar }
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
fn ask(liars: Query<&Liar>, lookup: Lookup<Liar>) {
    for liar in liars.iter().take(3) {
        for entity in lookup.find(liar) {
            assert!(lookup.get(entity).is_some());
        }
    }
}

fn in_mood<R>(mood: Mood, f: impl FnOnce() -> R) -> Option<R> {
    MOOD.set(mood);
    let result = catch_unwind(AssertUnwindSafe(f)).ok();
    MOOD.set(Mood::Honest);
    result
}

/// Asserts that every found entity is alive and has a value. After `Hash` and `Eq` are correct
/// again, every newly inserted value is found.
fn is_sane(court: &mut Court, ledger: &Ledger) {
    for number in 0..40 {
        let asked = Liar(number, ledger.token());
        for entity in court.find::<Liar>(&asked).collect::<Vec<_>>() {
            assert_eq!(court.get::<Liar>(entity).map(|liar| liar.0), Some(number));
        }
        let asked = KeyLiar(number, ledger.token());
        if let Some(entity) = court.find_one::<KeyLiar>(&asked) {
            assert_eq!(court.get::<KeyLiar>(entity).map(|liar| liar.0), Some(number));
        }
    }
    court.tick();
    let fresh = court.spawn(Liar(1000, ledger.token()));
    let asked = Liar(1000, ledger.token());
    assert_eq!(court.find::<Liar>(&asked).collect::<Vec<_>>(), [fresh]);
    court.despawn(fresh).unwrap();
    assert_eq!(court.find_one::<Liar>(&asked), None);
}

#[test]
fn every_verb_in_every_mood() {
    for mood in [Mood::Honest, Mood::HashLies, Mood::HashPanics, Mood::EqLies, Mood::EqPanics] {
        let ledger = Ledger::new();
        let mut court = Court::new();
        let ids: Vec<Entity> =
            (0..20).map(|n| court.spawn((Liar(n % 5, ledger.token()), KeyLiar(n, ledger.token())))).collect();
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
        in_mood(mood, || court_ref.tick());
        in_mood(mood, || court_ref.clone_entity(ids[7]).map(drop));
        in_mood(mood, || court_ref.find::<Liar>(&Liar(2, ledger.token())).count());
        in_mood(mood, || {
            court_ref.with_commands(|mut commands| {
                commands.spawn((Liar(2, ledger.token()), KeyLiar(90, ledger.token())));
                commands.insert(ids[8], Liar(2, ledger.token()));
                commands.despawn(ids[9]);
            });
        });
        in_mood(mood, || court_ref.spawn_batch((0..5).map(|n| Liar(n, ledger.token()))).count());
        is_sane(court_ref, &ledger);
        let mut copy = in_mood(mood, || court_ref.clone()).expect("nothing is hashed or compared");
        is_sane(&mut copy, &ledger);
        in_mood(mood, || copy.clear());
        assert_eq!(copy.find::<Liar>(&Liar(2, ledger.token())).count(), 0);
        drop((copy, court));
        ledger.assert_settled();
    }
}

#[test]
fn a_key_whose_hash_panics_once_is_found_afterwards() {
    let ledger = Ledger::new();
    let mut court = Court::new();
    let id = court.spawn(());
    assert!(in_mood(Mood::HashPanics, || court.insert(id, Liar(1, ledger.token())).map(drop)).is_none());
    assert_eq!(court.find_one::<Liar>(&Liar(1, ledger.token())), Some(id));
    court.get_tracked::<Liar>(id).unwrap().0 = 2;
    assert!(in_mood(Mood::HashPanics, || court.tick()).is_none());
    assert_eq!(court.find_one::<Liar>(&Liar(2, ledger.token())), Some(id));
    court.tick();
    assert_eq!(court.find::<Liar>(&Liar(2, ledger.token())).count(), 1);
    court.remove::<Liar>(id).unwrap();
    assert_eq!(court.find_one::<Liar>(&Liar(2, ledger.token())), None);
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
    let asked = Liar(2, ledger.token());
    for entity in few.find::<Liar>(&asked).collect::<Vec<_>>() {
        assert_eq!(entity, only);
    }
    assert!(many.find::<Liar>(&asked).all(|entity| ids.contains(&entity)));
    few.spawn((Liar(2, ledger.token()), KeyLiar(5, ledger.token())));
    few.tick();
    for &id in &ids {
        many.despawn(id).unwrap();
    }
    assert_eq!(many.find::<Liar>(&asked).count(), 0);
    many.tick();
    is_sane(&mut many, &ledger);
    drop((many, few, asked));
    ledger.assert_settled();
}

#[test]
fn exchanged_marks_are_marks_all_the_same() {
    let ledger = Ledger::new();
    let mut court = Court::new();
    let ids: Vec<Entity> = (0..3).map(|n| court.spawn(Liar(n, ledger.token()))).collect();
    court.tick();
    let mut query = court.query_mut::<Mut<Liar>>();
    let [mut a, mut b] = query.get_many_mut([ids[0], ids[2]]).unwrap();
    mem::swap(&mut a, &mut b);
    a.reborrow().0 = 10;
    mem::swap(&mut *a, &mut *b);
    let _ = mem::ManuallyDrop::new(a);
    assert_eq!(court.find_one::<Liar>(&Liar(10, ledger.token())), Some(ids[0]));
    assert_eq!(court.find_one::<Liar>(&Liar(0, ledger.token())), Some(ids[2]));
    drop(court);
    ledger.assert_settled();
}

#[test]
fn a_value_changed_through_a_shared_borrow_is_not_found_under_its_old_key() {
    let mut alley = Alley::new();
    let id = alley.spawn(Shifty(AtomicU32::new(1)));
    alley.get::<Shifty>(id).unwrap().0.store(2, Ordering::Relaxed);
    assert_eq!(alley.find_one::<Shifty>(&Shifty(AtomicU32::new(1))), None);
    alley.insert(id, Shifty(AtomicU32::new(3))).unwrap();
    assert_eq!(alley.find_one::<Shifty>(&Shifty(AtomicU32::new(3))), Some(id));
}
