//! Keys with wrong `Hash`, `Eq` and `Ord` impls, with interior mutability, and with panics in these
//! traits. An index may then find a wrong entity or have a wrong order, but finds live entities
//! with a value, and the world stays usable.

use std::cell::Cell;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ecs::prelude::*;
use ecs_tests::Token;

use super::bomb::{assert_settled, token};

thread_local! {
    /// The behaviour of the next calls of `Hash`, `Eq` and `Ord`.
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
    OrdLies,
    OrdPanics,
    /// One call of four.
    OrdPanicsSometimes,
}
use Mood::*;

/// A number that is hashed and compared as the mood says.
#[derive(Clone)]
struct Moody(u32, #[allow(dead_code)] Token);

/// A random number of two bits or more, another one in each call.
fn next_call() -> usize {
    CALLS.set(CALLS.get().wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    (CALLS.get() >> 16) as usize
}

impl Hash for Moody {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match MOOD.get() {
            HashPanics => panic!("hash"),
            HashLies => next_call().hash(state),
            _ => self.0.hash(state),
        }
    }
}
impl PartialEq for Moody {
    fn eq(&self, other: &Self) -> bool {
        match MOOD.get() {
            EqPanics => panic!("eq"),
            EqLies => next_call().is_multiple_of(2),
            _ => self.0 == other.0,
        }
    }
}
impl Eq for Moody {}
impl Ord for Moody {
    fn cmp(&self, other: &Self) -> Ordering {
        match MOOD.get() {
            OrdPanics => panic!("cmp"),
            OrdPanicsSometimes if next_call().is_multiple_of(4) => panic!("cmp"),
            OrdLies => [Ordering::Less, Ordering::Equal, Ordering::Greater][next_call() % 3],
            _ => self.0.cmp(&other.0),
        }
    }
}
impl PartialOrd for Moody {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

macro_rules! liars {
    ($($liar:ident: $option:tt $($derive:ident)*;)*) => {$(
        #[derive(Component, Clone, PartialEq, Eq $(, $derive)*)]
        #[component $option]
        struct $liar(Moody);
        impl $liar {
            fn of(number: u32) -> Self {
                Self(Moody(number, token()))
            }
            fn number(&self) -> u32 {
                self.0.0
            }
        }
    )*};
}
liars! {
    Liar: (index) Hash;
    KeyLiar: (key) Hash;
    Sorted: (index(ordered)) PartialOrd Ord;
    SortedKey: (key(ordered)) PartialOrd Ord;
    OtherSorted: (index(ordered)) PartialOrd Ord;
}

/// Values of both indexes.
fn both(number: u32) -> (Liar, Sorted) {
    (Liar::of(number), Sorted::of(number))
}

/// Values of both indexes and both keys.
fn all_four(number: u32, key: u32) -> (Liar, Sorted, KeyLiar, SortedKey) {
    (Liar::of(number), Sorted::of(number), KeyLiar::of(key), SortedKey::of(key))
}

/// Changes the value without a change of the index.
#[derive(Component)]
#[component(index)]
struct Shifty(AtomicU32);

impl Hash for Shifty {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.load(Relaxed).hash(state);
    }
}
impl PartialEq for Shifty {
    fn eq(&self, other: &Self) -> bool {
        self.0.load(Relaxed) == other.0.load(Relaxed)
    }
}
impl Eq for Shifty {}

/// Changes the value without a change of its place in the order.
#[derive(Component)]
#[component(index(ordered, by = u32))]
struct SortedShifty(AtomicU32);

impl From<&SortedShifty> for u32 {
    fn from(shifty: &SortedShifty) -> Self {
        shifty.0.load(Relaxed)
    }
}

world! {
    #[derive(Clone)]
    struct Court {
        components {
            liar: Liar, key: KeyLiar,
            sorted: Sorted, sorted_key: SortedKey, other: OtherSorted,
        }
    }
    schedule tick { touch; ask }
}

world! {
    struct Alley { components { shifty: Shifty, sorted: SortedShifty } }
}

#[system(Court)]
fn touch(mut liars: Query<Mut<Liar>>, mut sorted: Query<Mut<Sorted>>) {
    liars.for_each(|mut liar| liar.0.0 += 0);
    sorted.for_each(|mut sorted| sorted.0.0 += 0);
}

#[system(Court)]
fn ask(liars: Query<&Liar>, lookup: Lookup<Liar>, sorted: Lookup<Sorted>) {
    for liar in liars.iter().take(3) {
        for entity in lookup.find(liar) {
            assert!(lookup.get(entity).is_some());
        }
    }
    for entity in sorted.find_range(..) {
        assert!(sorted.get(entity).is_some());
    }
}

fn in_mood<R>(mood: Mood, f: impl FnOnce() -> R) -> Option<R> {
    MOOD.set(mood);
    let result = catch_unwind(AssertUnwindSafe(f)).ok();
    MOOD.set(Honest);
    result
}

fn found(court: &Court, number: u32) -> Vec<Entity> {
    court.find::<Liar>(&Liar::of(number)).collect()
}

/// The numbers in the order of the ordered index.
fn order(court: &Court) -> Vec<u32> {
    court.find_range::<Sorted>(..).map(|entity| court.get::<Sorted>(entity).unwrap().number()).collect()
}

/// Asserts that every found entity is alive and has a value; in the order each once, and none is
/// missing. After the traits are correct again, newly inserted values are found, and in order.
fn is_sane(court: &mut Court) {
    let mut sorted: Vec<Entity> = court.find_range::<Sorted>(..).collect();
    assert_eq!(court.find_range::<Sorted>(..).len(), sorted.len());
    sorted.sort_unstable();
    let all: Vec<Entity> = court.query::<(Entity, &Sorted)>().iter().map(|(entity, _)| entity).collect();
    assert_eq!(sorted, all);
    for number in 0..40 {
        for entity in found(court, number) {
            assert_eq!(court.get::<Liar>(entity).map(Liar::number), Some(number));
        }
        let holder = court.find_one::<KeyLiar>(&KeyLiar::of(number));
        assert!(holder.is_none_or(|entity| court.get::<KeyLiar>(entity).unwrap().number() == number));
        let within = Sorted::of(number)..Sorted::of(number + 5);
        assert!(court.find_range::<Sorted>(within).all(|entity| court.has::<Sorted>(entity)));
        let holder = court.find_one::<SortedKey>(&SortedKey::of(number));
        assert!(holder.is_none_or(|entity| court.get::<SortedKey>(entity).unwrap().number() == number));
    }
    court.tick();
    for entity in all {
        let value = court.get::<Sorted>(entity).unwrap().clone();
        court.insert(entity, value).unwrap();
    }
    assert!(order(court).is_sorted(), "{:?}", order(court));
    let fresh = court.spawn(Liar::of(1000));
    assert_eq!(found(court, 1000), [fresh]);
    court.despawn(fresh).unwrap();
    assert!(found(court, 1000).is_empty());
}

#[test]
fn every_verb_in_every_mood() {
    for mood in [Honest, HashLies, HashPanics, EqLies, EqPanics, OrdLies, OrdPanics, OrdPanicsSometimes] {
        let mut court = Court::new();
        // more than a block of the ordered index, and more than are placed one by one
        let ids: Vec<Entity> = (0..700).map(|n| court.spawn(all_four(n % 50, n))).collect();
        let court_ref = &mut court;
        in_mood(mood, || court_ref.spawn(both(7)));
        is_sane(court_ref);
        in_mood(mood, || court_ref.insert(ids[3], both(8)).map(drop));
        in_mood(mood, || court_ref.insert(ids[3], KeyLiar::of(4)).map(drop));
        in_mood(mood, || court_ref.insert(ids[3], SortedKey::of(4)).map(drop));
        in_mood(mood, || court_ref.try_spawn(KeyLiar::of(4)).map(drop));
        in_mood(mood, || court_ref.try_spawn(SortedKey::of(4)).map(drop));
        is_sane(court_ref);
        in_mood(mood, || court_ref.remove::<(Liar, KeyLiar)>(ids[4]).map(drop));
        in_mood(mood, || court_ref.remove::<(Sorted, SortedKey)>(ids[4]).map(drop));
        in_mood(mood, || court_ref.despawn(ids[5]));
        in_mood(mood, || court_ref.columns_mut().liar.remove(ids[6]).map(drop));
        in_mood(mood, || court_ref.columns_mut().liar.insert(ids[6], Liar::of(3)).map(drop));
        in_mood(mood, || court_ref.columns_mut().liar.iter_mut().for_each(|(_, mut liar)| liar.0.0 += 1));
        in_mood(mood, || court_ref.columns_mut().sorted.remove(ids[6]).map(drop));
        in_mood(mood, || court_ref.columns_mut().sorted.insert(ids[6], Sorted::of(3)).map(drop));
        in_mood(mood, || court_ref.columns_mut().sorted.iter_mut().for_each(|(_, mut at)| at.0.0 += 1));
        in_mood(mood, || court_ref.find_range::<Sorted>(..).rev().count());
        in_mood(mood, || court_ref.tick());
        in_mood(mood, || court_ref.tick());
        is_sane(court_ref);
        in_mood(mood, || court_ref.clone_entity(ids[7]).map(drop));
        in_mood(mood, || court_ref.get_tracked::<Liar>(ids[11]).map(|mut liar| liar.0.0 = 9));
        in_mood(mood, || court_ref.get_tracked::<Sorted>(ids[11]).map(|mut sorted| sorted.0.0 = 9));
        in_mood(mood, || found(court_ref, 2).len());
        in_mood(mood, || court_ref.find::<Sorted>(&Sorted::of(2)).count());
        in_mood(mood, || court_ref.swap::<(Liar, Sorted)>(ids[12], ids[13]));
        in_mood(mood, || drop(court_ref.regroup()));
        in_mood(mood, || {
            court_ref.with_commands(|mut commands| {
                commands.spawn(all_four(2, 900));
                commands.insert(ids[8], both(2));
                commands.despawn(ids[9]);
            });
        });
        in_mood(mood, || court_ref.spawn_batch((0..5).map(both)).count());
        in_mood(mood, || court_ref.shrink_to_fit());
        is_sane(court_ref);
        let mut copy = in_mood(mood, || court_ref.clone()).expect("nothing is hashed or compared");
        is_sane(&mut copy);
        in_mood(mood, || copy.clear());
        assert!(found(&copy, 2).is_empty() && order(&copy).is_empty());
        drop((copy, court));
        assert_settled();
    }
}

#[test]
fn a_key_whose_hash_panics_once_is_found_afterwards() {
    let mut court = Court::new();
    let id = court.spawn(());
    assert!(in_mood(HashPanics, || court.insert(id, Liar::of(1)).map(drop)).is_none());
    assert_eq!(found(&court, 1), [id]);
    court.get_tracked::<Liar>(id).unwrap().0.0 = 2;
    assert!(in_mood(HashPanics, || court.tick()).is_none());
    assert_eq!(court.find_one::<Liar>(&Liar::of(2)), Some(id));
    court.tick();
    assert_eq!(found(&court, 2), [id]);
    court.remove::<Liar>(id).unwrap();
    assert_eq!(court.find_one::<Liar>(&Liar::of(2)), None);
    drop(court);
    assert_settled();
}

#[test]
fn a_value_whose_comparison_panics_once_is_found_and_does_not_stop_the_schedule() {
    let mut court = Court::new();
    let first = court.spawn(Sorted::of(5));
    let id = court.spawn(());
    assert!(in_mood(OrdPanics, || court.insert(id, Sorted::of(1)).map(drop)).is_none());
    assert!(court.find_range::<Sorted>(..).eq([id, first]));
    court.get_tracked::<Sorted>(id).unwrap().0.0 = 7;
    assert!(in_mood(OrdPanics, || court.tick()).is_none());
    assert!(court.find_range::<Sorted>(..).eq([first, id]));
    court.tick();
    assert!(court.find_range::<Sorted>(..).eq([first, id]));
    court.remove::<Sorted>(id).unwrap();
    assert!(court.find_range::<Sorted>(..).eq([first]));
    drop(court);
    assert_settled();
}

#[test]
fn two_indexes_whose_comparison_panics_do_not_stop_a_swap_or_a_regroup() {
    let mut court = Court::new();
    let ids: Vec<Entity> = (0..40).map(|i| court.spawn((Sorted::of(i), SortedKey::of(i)))).collect();
    for &id in &ids[10..30] {
        court.remove::<Sorted>(id).unwrap();
    }
    in_mood(OrdPanics, || court.regroup());
    in_mood(OrdPanics, || court.swap::<(Sorted, SortedKey)>(ids[0], ids[39]).map(drop));
    is_sane(&mut court);
    drop(court);
    assert_settled();
}

#[test]
fn all_components_move_although_the_comparisons_of_several_panic() {
    let mut court = Court::new();
    let ids: Vec<Entity> = (0..20).map(|i| court.spawn((Sorted::of(i), OtherSorted::of(i)))).collect();
    let empty = court.spawn(());
    assert!(in_mood(OrdPanics, || court.move_all_components(ids[3], empty)).is_none());
    assert!(!court.has::<Sorted>(ids[3]) && !court.has::<OtherSorted>(ids[3]));
    let moved =
        [court.get::<Sorted>(empty).unwrap().number(), court.get::<OtherSorted>(empty).unwrap().number()];
    assert_eq!(moved, [3, 3]);
    is_sane(&mut court);
    drop(court);
    assert_settled();
}

#[test]
fn a_panic_among_many_values_leaves_out_none_of_them() {
    let mut court = Court::new();
    let ids: Vec<Entity> = (0..2000).map(|i| court.spawn(Sorted::of(i))).collect();
    court.tick();
    court.query_mut::<Mut<Sorted>>().for_each(|mut sorted| sorted.0.0 ^= 1);
    assert!(in_mood(OrdPanics, || court.tick()).is_none());
    court.tick();
    assert_eq!(order(&court).len(), ids.len());
    assert!(order(&court).is_sorted());
    drop(court);
    assert_settled();
}

#[test]
fn lookups_in_exchanged_columns_find_entities_of_their_world() {
    let (mut many, mut few) = (Court::new(), Court::new());
    let ids: Vec<Entity> = (0..300).map(|n| many.spawn(all_four(n % 3, n))).collect();
    let only = few.spawn(both(2));
    mem::swap(&mut many.liar, &mut few.liar);
    mem::swap(&mut many.key, &mut few.key);
    mem::swap(&mut many.sorted, &mut few.sorted);
    mem::swap(&mut many.sorted_key, &mut few.sorted_key);
    assert!(found(&few, 2).iter().all(|&entity| entity == only));
    assert!(found(&many, 2).iter().all(|entity| ids.contains(entity)));
    assert!(few.find_range::<Sorted>(..).all(|entity| entity == only));
    assert!(few.find_range::<Sorted>(..).rev().all(|entity| entity == only));
    assert!(many.find_range::<Sorted>(..).all(|entity| ids.contains(&entity)));
    assert!(few.find_last::<Sorted>().is_none_or(|(entity, _)| entity == only));
    few.spawn(all_four(2, 5));
    few.tick();
    for &id in &ids {
        many.despawn(id).unwrap();
    }
    assert!(found(&many, 2).is_empty());
    assert_eq!(many.find_range::<Sorted>(..).count(), 0);
    many.tick();
    is_sane(&mut many);
    drop((many, few));
    assert_settled();
}

#[test]
fn exchanged_marks_are_marks_all_the_same() {
    let mut court = Court::new();
    let ids: Vec<Entity> = (0..3).map(|n| court.spawn(Liar::of(n))).collect();
    court.tick();
    let mut query = court.query_mut::<Mut<Liar>>();
    let [mut a, mut b] = query.get_many_mut([ids[0], ids[2]]).unwrap();
    mem::swap(&mut a, &mut b);
    a.reborrow().0.0 = 10;
    mem::swap(&mut *a, &mut *b);
    let _ = mem::ManuallyDrop::new(a);
    assert_eq!(found(&court, 10), [ids[0]]);
    assert_eq!(found(&court, 0), [ids[2]]);
    drop(court);
    assert_settled();
}

#[test]
fn a_value_changed_through_a_shared_borrow_is_not_found_under_its_old_key() {
    let mut alley = Alley::new();
    let id = alley.spawn(Shifty(AtomicU32::new(1)));
    alley.get::<Shifty>(id).unwrap().0.store(2, Relaxed);
    assert_eq!(alley.find_one::<Shifty>(&Shifty(AtomicU32::new(1))), None);
    alley.insert(id, Shifty(AtomicU32::new(3))).unwrap();
    assert_eq!(alley.find_one::<Shifty>(&Shifty(AtomicU32::new(3))), Some(id));
}

#[test]
fn values_that_change_behind_the_ordered_index_are_found_once() {
    let mut alley = Alley::new();
    let ids: Vec<Entity> = (0..1000).map(|n| alley.spawn(SortedShifty(AtomicU32::new(n)))).collect();
    for (n, &id) in ids.iter().enumerate() {
        alley.get::<SortedShifty>(id).unwrap().0.store(n as u32 * 7919 % 1000, Relaxed);
    }
    for low in 0..1000 {
        assert!(alley.find_range::<SortedShifty>(low..low + 9).all(|entity| alley.contains(entity)));
    }
    for &id in &ids {
        let value = alley.get::<SortedShifty>(id).unwrap().0.load(Relaxed);
        alley.insert(id, SortedShifty(AtomicU32::new(value))).unwrap();
    }
    let mut found: Vec<Entity> = alley.find_range::<SortedShifty>(..).collect();
    found.sort_unstable();
    assert_eq!(found, ids);
}
