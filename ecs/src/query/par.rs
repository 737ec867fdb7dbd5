//! Iteration over a query on several threads: [`Query::par_for_each`], and systems that are marked
//! `par`.
//!
//! [`divide`] decides which slots a thread visits. Output of the visits, such as events, is kept
//! apart for each run of slots, and is joined in the order of the slots. If visits panic, all
//! others are still made. So neither the values nor the output depend on the division.
#![expect(unsafe_code, reason = "pieces of rows are given to different threads")]

use alloc::vec::Vec;
use core::ops::Range;

use super::data::Data;
use super::filter::Filter;
use super::iter::{Rows, RowsOf};
use super::outputs::{FirstPanic, Outputs};
use super::param::Query;
use super::passed_over::{PassedColumnsList, PassedOver};
#[cfg(feature = "std")]
use super::slots::SlotMatcher;
use crate::base::division::{divide, runners};
use crate::base::mask::{self, Bits};
use crate::entity::allocator::Entities;
use crate::raw_world::{RawWorld, WorldCell};

impl<D: Data, F: Filter> Query<'_, D, F> {
    /// Calls `f` with every item, on the current thread and the other threads of the current
    /// `rayon` pool.
    ///
    /// The entities are divided by the time that `f` takes: a thousand calls of 20 µs use all
    /// threads, and a thousand calls of a few nanoseconds stay on the current thread. The result
    /// does not depend on the division as long as `f` changes only its item; changes to an atomic
    /// or behind a lock happen in any order. Without the feature `parallel`, the calls are made on
    /// the current thread, in the order of the slots.
    ///
    /// # Panics
    /// If a call of `f` panics. All other calls are still made, and then the panic for the first of
    /// the entities, in the order of their slots, is resumed. Without the feature `std` the first
    /// panic ends the iteration.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Heat(f64);
    /// # world! { struct Stove { components { Heat } } }
    /// # let mut stove = Stove::new();
    /// # stove.spawn_batch((0..10_000).map(|i| Heat(f64::from(i))));
    /// stove.query_mut::<&mut Heat>().par_for_each(|heat| heat.0 = heat.0.sqrt());
    /// ```
    pub fn par_for_each(&mut self, f: impl Fn(D::Item<'_>) + Send + Sync) {
        // SAFETY: `&mut self` borrows the query exclusively, so no other item of it exists during
        // this call.
        unsafe { par_visit::<D, F, ()>(self.rows(), self.entities, || (), |item, ()| f(item)) };
    }

    /// Calls `f` with every item, as [`par_for_each`](Self::par_for_each) does, and returns the
    /// results in the order of the slots, for any number of threads.
    ///
    /// # Panics
    /// As [`par_for_each`](Self::par_for_each).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Heat(f64);
    /// # world! { struct Stove { components { Heat } } }
    /// # let mut stove = Stove::new();
    /// # stove.spawn_batch((0..10_000).map(|i| Heat(f64::from(i))));
    /// let roots: Vec<f64> = stove.query_mut::<&Heat>().par_map(|heat| heat.0.sqrt());
    /// let sum: f64 = roots.iter().sum(); // in the order of the entities, so the same in each run, bit for bit
    /// # assert_eq!(sum, (0..10_000).map(|i| f64::from(i).sqrt()).sum::<f64>());
    /// ```
    pub fn par_map<R: Send>(&mut self, f: impl Fn(D::Item<'_>) -> R + Send + Sync) -> Vec<R> {
        // SAFETY: `&mut self` borrows the query exclusively, so no other item of it exists during
        // this call.
        joined(unsafe {
            par_visit::<D, F, Vec<R>>(self.rows(), self.entities, Vec::new, |item, all| all.push(f(item)))
        })
    }

    /// Calls `f` with every item, as [`par_for_each`](Self::par_for_each) does, and returns the
    /// results that are not `None` in the order of the slots, for any number of threads.
    ///
    /// # Panics
    /// As [`par_for_each`](Self::par_for_each).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Health(i32);
    /// # world! { struct Game { components { Health } } schedule tick { bury } }
    /// #[system(Game)]
    /// fn bury(mut healths: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
    ///     for entity in healths.par_filter_map(|(entity, health)| (health.0 <= 0).then_some(entity)) {
    ///         commands.despawn(entity);
    ///     }
    /// }
    /// # let mut game = Game::new();
    /// # game.spawn_batch((-5..5).map(Health));
    /// # game.tick();
    /// # assert_eq!(game.entities().len(), 4);
    /// ```
    pub fn par_filter_map<R: Send>(&mut self, f: impl Fn(D::Item<'_>) -> Option<R> + Send + Sync) -> Vec<R> {
        // SAFETY: `&mut self` borrows the query exclusively, so no other item of it exists during
        // this call.
        joined(unsafe {
            par_visit::<D, F, Vec<R>>(self.rows(), self.entities, Vec::new, |item, all| all.extend(f(item)))
        })
    }
}

/// The values of all lists, in their order.
fn joined<R>(lists: Vec<Vec<R>>) -> Vec<R> {
    let len: usize = lists.iter().map(Vec::len).sum();
    let mut lists = lists.into_iter();
    let mut all = lists.next().unwrap_or_default();
    all.reserve_exact(len - all.len());
    lists.for_each(|mut list| all.append(&mut list));
    all
}

/// Calls a per-entity system that is marked `par` with every item and an output: see
/// [`each`](crate::system::each::each). Returns the outputs in the order of the slots.
///
/// # Safety
/// As for [`query`](crate::system::param::query).
pub unsafe fn par_each<W: RawWorld, D: Data, F: Filter, P: PassedColumnsList, O: Send>(
    world: WorldCell<'_, W>,
    data: D::Columns,
    filter: F::Columns,
    new: impl Fn() -> O + Send + Sync,
    f: impl Fn(D::Item<'_>, &mut O) + Send + Sync,
) -> Vec<O> {
    let entities = world.entities();
    // SAFETY: the columns are those of `D` and `F` by the contract of `query`. Every item is given
    // out once, to `f`, which accepts any lifetime and so cannot keep it.
    unsafe {
        let rows = Rows::new(data, filter, PassedOver::new(world, P::COLUMNS), entities);
        par_visit::<D, F, O>(rows, entities, new, f)
    }
}

// SAFETY: `&Query` gives ids and shared references to components. By the contract of `Query::new`
// these are components of a world, and `Sync` by the contract of `Has`.
unsafe impl<D: Data, F: Filter> Sync for Query<'_, D, F> {}

/// Calls `f` with every item and an output, on any thread. Returns the outputs in the order of the
/// slots: each has what `f` wrote for a run of slots. Outputs without a size are not returned.
///
/// # Panics
/// If calls of `f` panic, all others are still made; then the panic for the lowest slot is resumed.
///
/// # Safety
/// The world is borrowed in such a way that every item may be given out once.
unsafe fn par_visit<D: Data, F: Filter, O: Send>(
    rows: RowsOf<D, F>,
    entities: &Entities,
    new: impl Fn() -> O + Sync,
    f: impl Fn(D::Item<'_>, &mut O) + Sync,
) -> Vec<O> {
    let slots = rows.first.min(rows.words) * 64..rows.words * 64;
    let rows = ParRows::<D, F>(rows);
    let runners = runners(entities.division());
    let panics = FirstPanic::new();
    let outputs = Outputs::new(runners);
    divide(slots, entities.division(), runners, &|runner, slots| {
        outputs.with(runner, slots.clone(), &new, |output| {
            // SAFETY: the caller promises that each item may be given out once, and `divide` gives
            // each slot to one call. The slots are within the words of the rows, and are part of
            // one word or are whole words.
            unsafe { rows.visit(slots, &panics, |item| f(item, output)) };
        });
    });
    panics.resume(outputs.in_order())
}

/// The rows of a query, which several threads visit.
struct ParRows<D: Data, F: Filter>(RowsOf<D, F>);

// SAFETY: rows give ids and references to components. The rows are those of a `Query` or of
// `par_each`, whose contracts say that these are components of a world: `Send` and `Sync` by the
// contract of `Has`. The callers of `visit` promise that no two items clash.
unsafe impl<D: Data, F: Filter> Sync for ParRows<D, F> {}

impl<D: Data, F: Filter> ParRows<D, F> {
    /// Calls `f` with the items of these slots. If a call panics, the panic is noted, and the
    /// others are still made.
    ///
    /// # Safety
    /// The slots are within the words of the rows, and are a part of one word or whole words. The
    /// world is borrowed in such a way that every item of the slots may be given out once.
    #[cfg(feature = "std")]
    unsafe fn visit(&self, slots: Range<usize>, panics: &FirstPanic, mut f: impl FnMut(D::Item<'_>)) {
        use std::panic::{AssertUnwindSafe, catch_unwind};

        use crate::base::division::batch_end;

        let Range { mut start, end } = slots;
        while start < end {
            // a visit may change the stamps that the filter reads, so the matches of a word are
            // kept before it is visited
            let dated = const { <F::Columns as SlotMatcher>::DATED };
            let part = start..batch_end(start, if dated { 64 } else { end - start }, end);
            // SAFETY: the caller promises that the slots are within the words of the rows.
            let kept = dated.then(|| unsafe { self.0.mask(start / 64) });
            let done = core::cell::Cell::new(0);
            let visit = || {
                let mut count = ItemCount { items: 0, done: &done };
                // SAFETY: a part of the slots, which has the same form. Slots that were visited
                // before are not part of it.
                unsafe {
                    self.each(part.clone(), |item| {
                        f(item);
                        count.items += 1;
                    });
                }
            };
            start = match catch_unwind(AssertUnwindSafe(visit)) {
                Ok(()) => part.end,
                Err(payload) => {
                    // SAFETY: the slots are within the words of the rows; a part with kept matches
                    // lies within one word.
                    let slot = unsafe { self.nth(part, kept, done.get()) };
                    panics.note(slot, payload);
                    slot + 1
                }
            };
        }
    }

    /// Calls `f` with the items of these slots.
    ///
    /// # Safety
    /// As for [`each`](Self::each).
    #[cfg(not(feature = "std"))]
    unsafe fn visit(&self, slots: Range<usize>, _: &FirstPanic, f: impl FnMut(D::Item<'_>)) {
        // SAFETY: this function has the contract of `each`.
        unsafe { self.each(slots, f) };
    }

    /// Calls `f` with the items of these slots.
    ///
    /// # Safety
    /// The slots are within the words of the rows, and are a part of one word or whole words. The
    /// world is borrowed in such a way that every item of the slots may be given out once.
    #[inline(always)]
    unsafe fn each(&self, slots: Range<usize>, mut f: impl FnMut(D::Item<'_>)) {
        let mut rows = self.0;
        let word = slots.start / 64;
        if slots.start.is_multiple_of(64) && slots.end.is_multiple_of(64) {
            (rows.first, rows.words) = (word, slots.end / 64);
            // SAFETY: the columns are those of `D`; the caller promises that the words are within
            // those of the rows, and that every item may be given out once.
            unsafe { rows.each::<D, true>(f) };
            return;
        }
        // SAFETY: the caller promises that the slots are within the words of the rows.
        let bits = unsafe { rows.mask(word) } & bits_of(&slots, word);
        if bits != 0 {
            // SAFETY: the word is within the words of the rows, and a slot of it matches.
            let base = unsafe { D::base(rows.data, word) };
            for bit in Bits(bits) {
                // SAFETY: the bit is set in the mask, so the slot matches; each bit is visited
                // once.
                f(unsafe { D::at(base, bit) });
            }
        }
    }

    /// The slot of the `n`-th item of these slots, counted from zero. `kept` is the mask of their
    /// only word before the visits.
    ///
    /// # Safety
    /// The slots are within the words of the rows.
    #[cfg(feature = "std")]
    #[cold]
    unsafe fn nth(&self, slots: Range<usize>, kept: Option<u64>, mut n: usize) -> usize {
        for word in slots.start / 64..slots.end.div_ceil(64) {
            // SAFETY: the caller promises that the slots are within the words of the rows.
            let mask = kept.unwrap_or_else(|| unsafe { self.0.mask(word) });
            let bits = mask & bits_of(&slots, word);
            match Bits(bits).nth(n) {
                Some(bit) => return word * 64 + bit,
                None => n -= bits.count_ones() as usize,
            }
        }
        unreachable!("an item that was given out has a slot")
    }
}

/// The bits of a word that stand for `slots`.
fn bits_of(slots: &Range<usize>, word: usize) -> u64 {
    let bit = |slot: usize| slot.saturating_sub(word * 64).min(64);
    mask::range(bit(slots.start), bit(slots.end))
}

/// Counts items in a register, and writes the number at the end of the loop or when it unwinds. An
/// assignment in the loop instead would keep the compiler from vectorising it.
#[cfg(feature = "std")]
struct ItemCount<'c> {
    items: usize,
    done: &'c core::cell::Cell<usize>,
}

#[cfg(feature = "std")]
impl Drop for ItemCount<'_> {
    fn drop(&mut self) {
        self.done.set(self.items);
    }
}
