//! Packed columns, whose values move when others are inserted: with panics in drops, clones and
//! iterators, with values of any size and alignment, and with columns that are exchanged.

use std::cell::Cell;
use std::mem::{swap, take};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::error::SystemError;
use ecs::prelude::*;

use super::ground::{Ledger, Token};

thread_local! {
    /// The number of clones and drops before one panics.
    static FUSE: Cell<u32> = const { Cell::new(u32::MAX) };
}

fn burn() {
    let left = FUSE.get();
    if left != u32::MAX {
        FUSE.set(left.checked_sub(1).unwrap_or(u32::MAX));
        assert!(left != 0, "the fuse");
    }
}

/// A value whose clone and drop may panic.
#[derive(Component)]
#[component(storage = "packed")]
struct Fused(u32, Token);
#[derive(Component, Clone)]
#[component(storage = "packed")]
struct Held(String, #[allow(dead_code)] Token);
#[derive(Component, Clone, Copy, PartialEq, Debug)]
#[component(storage = "packed")]
#[repr(align(512))]
struct Wide(u8);
/// A packed component without a size that counts its drops.
#[derive(Component, Clone)]
#[component(storage = "packed")]
struct Empty(());
#[derive(Component, Clone, Copy, PartialEq, Debug)]
#[component(storage = "packed", tracked)]
struct Large([u64; 200]);

impl Clone for Fused {
    fn clone(&self) -> Self {
        burn();
        Self(self.0, self.1.clone())
    }
}

impl Drop for Fused {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            burn();
        }
    }
}

thread_local! {
    static DROPS: Cell<usize> = const { Cell::new(0) };
}

impl Drop for Empty {
    fn drop(&mut self) {
        DROPS.set(DROPS.get() + 1);
    }
}

/// A world in a module that sees its private fields.
mod inside {
    use super::*;

    world! {
        #[derive(Clone)]
        pub struct Game { components { fused: Fused, held: Held, wide: Wide, empty: Empty, large: Large } }
    }

    pub fn exchange(one: &mut Game, other: &mut Game) {
        swap(&mut one.held, &mut other.held);
        swap(&mut one.wide, &mut other.wide);
        drop(take(&mut other.large)); // a column that is not packed takes its place
        one.fused.clone_from(&other.fused);
    }
}
use inside::Game;

fn filled(ledger: &Ledger, count: u32) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let ids: Vec<Entity> = (0..count).map(|_| game.spawn(())).collect();
    for i in 0..count {
        let id = ids[(i * 7919 % count) as usize];
        game.insert(id, Held(i.to_string(), ledger.token())).unwrap();
        game.insert(id, Wide(i as u8)).unwrap();
        if i % 3 == 0 {
            game.insert(id, (Fused(i, ledger.token()), Large([u64::from(i); 200]))).unwrap();
        }
        if i % 5 == 0 {
            drop(game.remove::<Held>(id));
            game.insert(id, Empty(())).unwrap();
        }
    }
    (game, ids)
}

/// Uses all values, and compares the ways to reach them.
fn check(game: &mut Game) {
    let mut folded = Vec::new();
    game.query_mut::<(Entity, &mut Held)>().for_each(|(id, held)| {
        held.0.push('.');
        folded.push(id);
    });
    let looped: Vec<Entity> = game.query::<(Entity, &Held)>().iter().map(|(id, _)| id).collect();
    assert_eq!(folded, looped);
    for &id in &looped {
        // an exchanged column has values of slots without an entity
        assert!(game.get::<Held>(id).is_none_or(|held| held.0.ends_with('.')));
    }
    for wide in game.query_mut::<&mut Wide>() {
        assert_eq!(std::ptr::from_ref(wide).addr() % 512, 0);
        wide.0 = wide.0.wrapping_add(1);
    }
    for (ids, large) in game.query_mut::<(Entity, &Fused)>().chunks_mut() {
        assert_eq!(ids.len(), large.len());
    }
    for large in game.query::<Ref<Large>>().iter() {
        assert!(large.0.iter().all(|&n| n == large.0[0]));
    }
}

#[test]
fn a_panic_in_a_clone_or_a_drop_leaves_valid_columns() {
    let ledger = Ledger::new();
    let (mut game, ids) = filled(&ledger, 600);
    for fuse in [0, 1, 40, 150, 199] {
        FUSE.set(fuse);
        let copy = catch_unwind(AssertUnwindSafe(|| game.clone()));
        FUSE.set(u32::MAX);
        drop(copy);
        check(&mut game);
        let mut target = filled(&ledger, 300).0;
        FUSE.set(fuse);
        let _ = catch_unwind(AssertUnwindSafe(|| target.clone_from(&game)));
        FUSE.set(u32::MAX);
        check(&mut target);
        FUSE.set(fuse);
        let _ = catch_unwind(AssertUnwindSafe(|| target.clear()));
        FUSE.set(u32::MAX);
        check(&mut target);
        FUSE.set(fuse % 7);
        for (i, &id) in ids.iter().enumerate().skip(fuse as usize).take(30) {
            let _ = catch_unwind(AssertUnwindSafe(|| drop(game.insert(id, Fused(i as u32, ledger.token())))));
            let _ = catch_unwind(AssertUnwindSafe(|| drop(game.remove::<Fused>(id))));
        }
        FUSE.set(u32::MAX);
        check(&mut game);
    }
    drop(game);
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn an_iterator_that_panics_leaves_the_values_before() {
    let ledger = Ledger::new();
    let (mut game, _) = filled(&ledger, 100);
    for stop in [0, 1, 63, 64, 65, 400] {
        let before = game.query::<&Held>().len();
        let held = |i: usize| {
            assert!(i < stop, "the end");
            (Held(i.to_string(), ledger.token()), Wide(i as u8))
        };
        let batch = catch_unwind(AssertUnwindSafe(|| drop(game.spawn_batch((0..500).map(held)))));
        assert!(batch.is_err());
        assert_eq!(game.query::<&Held>().len(), before + stop);
        let columns = (0..500).map(|i| held(i).0);
        let columns = catch_unwind(AssertUnwindSafe(|| drop(game.spawn_columns((columns,)))));
        assert!(columns.is_err());
        assert_eq!(game.query::<&Held>().len(), before + stop);
        check(&mut game);
    }
    drop(game);
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn exchanged_columns_are_valid() {
    let ledger = Ledger::new();
    let ((mut one, ids), (mut other, _)) = (filled(&ledger, 500), filled(&ledger, 90));
    inside::exchange(&mut one, &mut other);
    check(&mut one);
    check(&mut other);
    for (i, &id) in ids.iter().enumerate() {
        let _ = one.insert(id, (Held(String::new(), ledger.token()), Large([i as u64; 200])));
        let _ = other.insert(id, (Held(String::new(), ledger.token()), Large([i as u64; 200])));
    }
    check(&mut one);
    check(&mut other);
    let snapshot = other.snapshot();
    one.despawn(ids[3]).unwrap();
    other.clear();
    other.restore(&snapshot);
    check(&mut other);
    drop((one, other, snapshot));
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn packed_values_without_a_size_are_dropped_once() {
    DROPS.set(0);
    let ledger = Ledger::new();
    let (mut game, ids) = filled(&ledger, 1000);
    let there = game.query::<&Empty>().len();
    assert_eq!((there, DROPS.get()), (200, 0));
    ids.iter().take(500).for_each(|&id| game.despawn(id).unwrap());
    let left = game.query::<&Empty>().len();
    assert_eq!(DROPS.get(), there - left);
    drop(game);
    assert_eq!(DROPS.get(), there);
}

/// Every way to go through a column, after it was emptied.
fn visits(game: &mut Game) -> usize {
    let mut visited = 0;
    for _ in &game.query::<&Wide>() {
        visited += 1;
    }
    for _ in &game.query::<Entity>().filter::<With<Wide>>() {
        visited += 1;
    }
    for _ in &game.query::<(&Wide, &Held)>() {
        visited += 1;
    }
    game.query::<&Wide>().for_each(|_| visited += 1);
    game.query_mut::<&mut Wide>().par_for_each(|_| unreachable!("there is no value"));
    visited += game.query::<&Wide>().iter().collect::<Vec<_>>().len();
    visited += game.query::<&Wide>().chunks().count();
    visited += game.query::<(Entity, &Wide)>().sorted_by_key(|(id, _)| *id).len();
    visited += usize::from(game.query::<&Wide>().single().is_ok());
    visited += game.retain::<&Wide>(|_| false) + game.despawn_all::<With<Wide>>() + game.remove_all::<Wide>();
    visited + game.query::<&Wide>().len()
}

/// The loops of release builds went through 2^32 pages, for half a second.
#[test]
fn loops_over_an_emptied_column_end_at_once() {
    let ledger = Ledger::new();
    let empty = Game::new().snapshot();
    type Way = (&'static str, fn(&mut Game, &ecs::world::Snapshot<Game>));
    let ways: [Way; 9] = [
        ("clear", |game, _| game.clear()),
        ("restore", |game, empty| game.restore(empty)),
        ("clone_from", |game, _| game.clone_from(&Game::new())),
        ("remove_all", |game, _| _ = game.remove_all::<Wide>()),
        ("despawn_all", |game, _| _ = game.despawn_all::<With<Wide>>()),
        ("retain", |game, _| _ = game.retain::<&Wide>(|_| false)),
        ("shrink", |game, _| {
            game.clear();
            game.shrink_to_fit();
        }),
        ("regroup", |game, _| {
            game.remove_all::<Wide>();
            let _ = game.regroup();
        }),
        ("try_run", |game, _| {
            game.clear();
            let filled = game.try_run(|game| {
                game.spawn(Wide(1));
                Err::<(), _>(SystemError { system: "", schedule: "", world: "", source: "undone".into() })
            });
            assert!(filled.is_err());
        }),
    ];
    for (way, empty_by) in ways {
        let mut game = filled(&ledger, 2000).0;
        empty_by(&mut game, &empty);
        let begin = std::time::Instant::now();
        assert_eq!(visits(&mut game), 0, "{way}");
        assert!(begin.elapsed().as_millis() < 500, "{way}: {:?} for loops over nothing", begin.elapsed());
    }
}

/// The list of addresses was cut, and the pages kept their places.
#[test]
fn pages_that_were_cut_off_take_values_again() {
    for pages in 1..40 {
        let mut game = Game::new();
        let ids: Vec<Entity> = (0..64 * pages).map(|_| game.spawn(())).collect();
        let at = |page: usize| ids[64 * page + page];
        for page in [pages - 1].into_iter().chain(0..pages) {
            game.insert(at(page), Large([page as u64; 200])).unwrap();
        }
        for cut in [1, 2, pages / 2] {
            let cut = pages.saturating_sub(cut)..pages;
            cut.clone().for_each(|page| _ = game.remove::<Large>(at(page)));
            game.shrink_to_fit();
            cut.for_each(|page| _ = game.insert(at(page), Large([page as u64 + 7; 200])));
            check(&mut game);
        }
        for page in 0..pages {
            let value = game.get::<Large>(at(page)).unwrap().0[199];
            assert_eq!(value % 7, page as u64 % 7, "page {page} of {pages}");
        }
    }
}
