//! Iterators and user types with wrong impls.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, burn, panic_message};

use super::ground::{Ledger, Left, Number, One, Tag, bundle, exercise, one, wear_out};

/// An endless iterator with another size hint at every call.
struct Endless<'l>(&'l Ledger, Cell<usize>);

impl Iterator for Endless<'_> {
    type Item = (Left, Number);
    fn next(&mut self) -> Option<Self::Item> {
        burn("an endless iterator");
        Some((Left(self.0.token()), Number(1)))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let hints = [0, usize::MAX, 1, 64, 65_536, 3, usize::MAX / 2];
        self.1.set(self.1.get() + 1);
        (hints[self.1.get() % hints.len()], Some(0))
    }
}

#[test]
fn an_endless_iterator_that_panics_leaves_whole_entities() {
    for at in [1, 2, 64, 65, 127, 128, 4096, 4097, 5000] {
        let ledger = Ledger::new();
        let (mut world, alive) = one(&ledger, 100);
        let before = ledger.alive();
        assert!(blows_up(at, || world.spawn_batch(Endless(&ledger, Cell::new(at as usize))).len()));
        let spawned = at as usize - 1;
        assert_eq!((world.entities().len(), ledger.alive()), (alive.len() + spawned, before + spawned));
        exercise(&mut world);
        wear_out(world, &ledger);
        ledger.assert_settled();
    }
}

#[test]
fn an_iterator_is_not_advanced_after_its_end() {
    struct Unfused(u32);
    impl Iterator for Unfused {
        type Item = Number;
        fn next(&mut self) -> Option<Number> {
            self.0 += 1;
            (!self.0.is_multiple_of(100)).then_some(Number(self.0))
        }
    }
    let mut world = One::new();
    assert_eq!(world.spawn_batch(Unfused(0)).len(), 99);
    assert_eq!(world.query::<&Number>().len(), 99);
}

/// No two entities have the same key, in pages or packed.
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[component(key)]
struct Key(u32);
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[component(key, storage = "packed")]
struct PackedKey(u32);
#[derive(Component, Clone, Copy)]
#[component(unique)]
struct Only;

world! {
    struct Registry { components { Key, PackedKey, Only } }
}

/// Gives `.0` values, then nothing, then values again.
struct Unfused(u32, u32);

impl Iterator for Unfused {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        self.1 += 1;
        (self.1 != self.0 + 1 && self.1 < self.0 + 300).then_some(self.1.min(self.0 + 1))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }
}

#[test]
fn an_iterator_that_goes_on_after_its_end_gets_no_value_past_a_rule() {
    for count in [0, 1, 2, 63, 64, 65, 200] {
        let mut registry = Registry::new();
        assert_eq!(registry.spawn_batch(Unfused(count, 0).map(Key)).len(), count as usize);
        assert_eq!(registry.spawn_batch(Unfused(count, 0).map(PackedKey)).len(), count as usize);
        let ids: Vec<Entity> = registry.entities().iter().collect();
        assert_eq!(ids.len(), 2 * count as usize);
        for n in 1..=count {
            assert!(
                registry.find_one::<Key>(&Key(n)).is_some()
                    && registry.find_one::<PackedKey>(&PackedKey(n)).is_some()
            );
        }
        assert!(registry.find_one::<Key>(&Key(count + 1)).is_none());
        registry.with_commands(|mut commands| {
            let ids = commands.spawn_batch(Unfused(count, 0).map(|n| Key(1000 + n)));
            assert_eq!(ids.len(), count as usize);
        });
        let changes = ids.iter().copied().zip(Unfused(count, 0).map(|n| Key(2000 + n)));
        assert_eq!(registry.insert_batch(changes).unwrap(), count as usize);
        assert_eq!(registry.query::<&Key>().len(), (if count == 0 { 0 } else { 2 * count }) as usize);
        let mut asked = 0;
        let only = std::iter::from_fn(|| {
            asked += 1;
            (asked % 2 == 1).then_some(Only)
        });
        assert_eq!(registry.spawn_batch(only).len(), 1);
        assert_eq!(registry.query::<&Only>().len(), 1);
    }
}

#[test]
fn an_iterator_changes_another_world_of_the_same_type_while_it_is_asked() {
    let ledger = Ledger::new();
    let (mut world, alive) = one(&ledger, 100);
    let (mut other, others) = one(&ledger, 50);
    let mut count = 0;
    let mut step = |n: u32| {
        count += 4;
        other.spawn(bundle(&ledger, n));
        assert_eq!(other.spawn_batch((0..2).map(|n| bundle(&ledger, n))).len(), 2);
        other.with_commands(|mut commands| _ = commands.spawn(Number(n)));
        other.despawn(other.entities().iter().next().unwrap()).unwrap();
        count -= 1;
        Number(n)
    };
    let spawned: Vec<Entity> = world.spawn_batch((0..70).map(&mut step)).collect();
    let columns: Vec<Entity> = world.spawn_columns((vec![Tag; 70], (0..70).map(&mut step))).collect();
    let commanded: Vec<Entity> =
        world.with_commands(|mut commands| commands.spawn_batch((0..70).map(&mut step)).collect());
    let changes = spawned.iter().map(|&entity| (entity, step(7)));
    assert_eq!(world.insert_batch(changes).unwrap(), 70);
    for (ids, sevens) in [(&spawned, true), (&columns, false), (&commanded, false)] {
        for (n, &entity) in ids.iter().enumerate() {
            assert_eq!(world.get(entity), Some(&Number(if sevens { 7 } else { n as u32 })));
        }
    }
    assert_eq!(world.entities().len(), alive.len() + 210);
    assert_eq!(other.entities().len(), others.len() + count);
    for mut world in [world, other] {
        exercise(&mut world);
        wear_out(world, &ledger);
    }
    ledger.assert_settled();
}

/// An iterator with the size hint `.1`, which gives `.2` values and then acts as `.3` says.
struct Boaster<'l>(&'l Ledger, usize, usize, bool);

impl Iterator for Boaster<'_> {
    type Item = Left;
    fn next(&mut self) -> Option<Left> {
        match self.2.checked_sub(1) {
            Some(left) => self.2 = left,
            None if self.3 => burn("a column"),
            None => return None,
        }
        Some(Left(self.0.token()))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.1, Some(self.1))
    }
}

impl ExactSizeIterator for Boaster<'_> {}

#[test]
fn columns_shorter_than_their_announced_length_spawn_no_entity() {
    for (said, given) in [(1, 0), (64, 63), (65, 64), (5000, 4999), (5000, 1), (100_000, 70_000)] {
        for bursts in [false, true] {
            let ledger = Ledger::new();
            let (mut world, mut alive) = one(&ledger, 100);
            // free slots for the new entities, so that they are not in one range
            let others = (0..300).map(|n| (Left(ledger.token()), Number(n), Tag));
            let others: Vec<Entity> = world.spawn_batch(others).collect();
            for (n, other) in others.into_iter().enumerate() {
                if n % 3 == 0 {
                    world.despawn(other).unwrap();
                } else {
                    alive.push(other);
                }
            }
            let before = ledger.alive();
            for place in 0..3 {
                let numbers = (0..said as u32).map(Number);
                let (tags, liar) = (vec![Tag; said], Boaster(&ledger, said, given, bursts));
                let spawn = AssertUnwindSafe(|| match place {
                    0 => world.spawn_columns((liar, numbers, tags)).len(),
                    1 => world.spawn_columns((numbers, liar, tags)).len(),
                    _ => world.spawn_columns((numbers, tags, liar)).len(),
                });
                let panicked = if bursts { blows_up(1, spawn) } else { catch_unwind(spawn).is_err() };
                assert!(panicked, "{said} said, {given} given");
                assert_eq!((world.entities().len(), ledger.alive()), (alive.len(), before));
                assert_eq!(world.query::<&Left>().len(), alive.len());
            }
            exercise(&mut world);
            wear_out(world, &ledger);
            ledger.assert_settled();
        }
    }
}

#[test]
fn columns_beyond_their_length_are_cut() {
    let ledger = Ledger::new();
    let (mut world, alive) = one(&ledger, 100);
    for said in [0, 1, 63, 64, 5000] {
        let numbers = (0..said as u32).map(Number);
        assert_eq!(world.spawn_columns((Boaster(&ledger, said, said + 70, false), numbers)).len(), said);
    }
    assert_eq!(world.entities().len(), alive.len() + 5128);
    wear_out(world, &ledger);
    ledger.assert_settled();
}

/// The values of a `Vec` are copied to the world, and those that were copied when the panic comes
/// belong to the world.
#[test]
fn a_column_that_panics_beside_a_vec_drops_each_value_once() {
    for (len, fails) in [(1, 0), (65, 64), (5000, 10), (5000, 4500), (70_000, 69_000)] {
        for vec_first in [true, false] {
            let ledger = Ledger::new();
            let (mut world, alive) = one(&ledger, 100);
            let before = ledger.alive();
            let left: Vec<Left> = (0..len).map(|_| Left(ledger.token())).collect();
            let numbers = (0..len as u32).map(|n| {
                assert_ne!(n, fails, "fails");
                Number(n)
            });
            let spawn = AssertUnwindSafe(|| match vec_first {
                true => world.spawn_columns((left, numbers)).len(),
                false => world.spawn_columns((numbers, left)).len(),
            });
            assert!(catch_unwind(spawn).is_err());
            assert_eq!((world.entities().len(), ledger.alive()), (alive.len(), before));
            exercise(&mut world);
            wear_out(world, &ledger);
            ledger.assert_settled();
        }
    }
}

#[test]
fn an_iterator_may_build_worlds_of_its_own() {
    let ledger = Ledger::new();
    let (mut world, alive) = one(&ledger, 50);
    let nested = (0..100).map(|n| {
        let mut inner = One::new();
        inner.spawn_batch((0..n).map(|n| bundle(&ledger, n)));
        let id = inner.entities().iter().next();
        let left = id.and_then(|id| inner.remove::<Left>(id).unwrap());
        (left.unwrap_or_else(|| Left(ledger.token())), Number(n))
    });
    assert_eq!(world.spawn_batch(nested).len(), 100);
    assert_eq!(world.entities().len(), alive.len() + 100);
    wear_out(world, &ledger);
    ledger.assert_settled();
}

#[test]
fn dropping_the_iterator_may_panic() {
    struct Last<'l>(&'l Ledger, u32);
    impl Iterator for Last<'_> {
        type Item = Left;
        fn next(&mut self) -> Option<Left> {
            self.1 = self.1.checked_sub(1)?;
            Some(Left(self.0.token()))
        }
    }
    impl Drop for Last<'_> {
        fn drop(&mut self) {
            burn("the drop of an iterator");
        }
    }
    let ledger = Ledger::new();
    let mut world = One::new();
    assert!(blows_up(1, || world.spawn_batch(Last(&ledger, 100)).len()));
    let count = world.entities().len();
    assert_eq!((count, world.query::<&Left>().len(), ledger.alive()), (count, count, count));
    wear_out(world, &ledger);
    ledger.assert_settled();
}

#[test]
fn ids_of_a_batch_may_be_forgotten() {
    let ledger = Ledger::new();
    let mut world = One::new();
    std::mem::forget(world.spawn_batch((0..100).map(|n| bundle(&ledger, n))));
    assert_eq!(world.entities().len(), 100);
    wear_out(world, &ledger);
    ledger.assert_settled();
}

#[test]
#[allow(clippy::forget_non_drop, reason = "that there is nothing to drop may change")]
fn iterators_and_queries_may_be_forgotten() {
    let ledger = Ledger::new();
    let (mut world, _) = one(&ledger, 100);
    let mut iter = world.query_mut::<&mut Left>().into_iter();
    iter.next();
    std::mem::forget(iter);
    std::mem::forget(world.query_mut::<&mut Number>());
    std::mem::forget(world.columns_mut());
    let mut chunks = world.query_mut::<&mut Number>();
    std::mem::forget(chunks.chunks_mut());
    wear_out(world, &ledger);
    ledger.assert_settled();
}

/// A value of the largest size that a test can move.
#[derive(Component)]
struct Large(#[allow(dead_code)] [u8; 1 << 16]);
#[derive(Component)]
struct Small(#[allow(dead_code)] u8);
#[derive(Component)]
struct Mark;

world! { struct Ground { components { Large, Small, Mark } } }

/// An iterator that knows its length and must not be advanced.
struct Announced<T>(usize, std::marker::PhantomData<T>);

impl<T> Iterator for Announced<T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        panic!("nothing was to be asked for");
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0, Some(self.0))
    }
}
impl<T> ExactSizeIterator for Announced<T> {}

fn announced<T>(count: usize) -> Announced<T> {
    Announced(count, std::marker::PhantomData)
}

/// A length beyond all slots or memory panics before any change, and does not abort the process.
#[test]
fn columns_that_announce_more_than_there_can_be_are_refused_at_once() {
    let mut ground = Ground::new();
    ground.spawn(Mark);
    for count in [usize::MAX, isize::MAX as usize, u32::MAX as usize + 1, u32::MAX as usize] {
        let said = panic_message(|| ground.spawn_columns((announced::<Mark>(count),)).len());
        assert!(said.contains("the world has room for"), "{count}: {said}");
        let said = panic_message(|| {
            ground.spawn_columns((announced::<Mark>(count), announced::<Small>(count))).len()
        });
        assert!(said.contains("the world has room for"), "{count}: {said}");
    }
    let said = panic_message(|| ground.spawn_columns((announced::<Large>(4_000_000_000),)).len());
    assert!(said.contains("there is no memory"), "{said}");
    assert_eq!((ground.entities().len(), ground.stats().columns[0].bytes), (1, 0));
    // a batch allocates in pieces, whatever the size hint is
    let said = panic_message(|| ground.spawn_batch(announced::<Small>(usize::MAX)).len());
    assert!(said.contains("nothing was to be asked for"), "{said}");
    let mut left = 10;
    let liar = std::iter::from_fn(|| {
        left -= 1;
        (left > 0).then_some(Small(1))
    });
    assert_eq!(ground.spawn_batch(Hinted(liar)).len(), 9);
    assert!(ground.stats().blocks <= 1 << 11, "{}", ground.stats().blocks);
}

/// An iterator with the largest size hint.
struct Hinted<I>(I);

impl<I: Iterator> Iterator for Hinted<I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, Some(usize::MAX))
    }
}
