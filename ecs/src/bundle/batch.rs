//! Spawning many entities of one kind: columns are written in bulk.
#![expect(unsafe_code, reason = "rows are written before their bits are set")]

use alloc::vec::Vec;
use core::ops::Range;

use super::{Bundle, BundleComponents};
use crate::component::requires::RequiredInserter;
use crate::entity::Entity;
use crate::entity::allocator::{Entities, append};
use crate::error::refuse;
use crate::world::{World, WorldCell};

/// How many slots are taken at once, however many entities an iterator announces.
pub(super) const MOST: usize = 1 << 16;

/// The ids of a batch, in the order of the bundles.
#[derive(Clone, Debug)]
pub struct Spawned<'w> {
    entities: &'w Entities,
    ranges: Vec<Range<u32>>,
    at: usize,
    left: usize,
}

impl<'w> Spawned<'w> {
    /// Those in these slots.
    pub(super) fn new(entities: &'w Entities, ranges: Vec<Range<u32>>) -> Self {
        let left = ranges.iter().map(Range::len).sum();
        Self { entities, ranges, at: 0, left }
    }
}

impl Iterator for Spawned<'_> {
    type Item = Entity;

    #[inline]
    fn next(&mut self) -> Option<Entity> {
        let range = self.ranges.get_mut(self.at)?;
        let slot = range.next()?;
        if range.start == range.end {
            self.at += 1;
        }
        self.left -= 1;
        Some(self.entities.at(slot as usize))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Spawned<'_> {}

/// Slots that are alive already, written from the front.
///
/// # Invariants
/// The cell was made of a world that is borrowed mutably for `'w`, and nothing of it is lent.
///
/// Dropped early (a panic in the user's iterator or in a `Default`), it commits what is whole and gives the rest back.
struct Batch<'w, W: World, P: BundleComponents<W>> {
    world: WorldCell<'w, W>,
    /// The slots in hand, all within one page of every column.
    run: Range<u32>,
    written: u32,
    /// Taken and not in hand yet.
    ahead: Range<u32>,
    more: Vec<Range<u32>>,
    done: Vec<Range<u32>>,
    rows: Option<P::Rows>,
}

/// Spawns an entity for each bundle.
pub(crate) fn spawn_batch<W: World, B: Bundle<W>>(
    world: &mut W,
    bundles: impl Iterator<Item = B>,
) -> Spawned<'_> {
    let cell = WorldCell::new(world);
    let mut batch = Batch::<W, B::BundleComponents> {
        world: cell,
        run: 0..0,
        written: 0,
        ahead: 0..0,
        more: Vec::new(),
        done: Vec::new(),
        rows: None,
    };
    let mut bundles = bundles;
    if B::BundleComponents::GUARDED {
        bundles.by_ref().for_each(|bundle| batch.spawn_one(bundle.into_components()));
    }
    while let Some(first) = bundles.next() {
        let announced = match bundles.size_hint() {
            (exactly, Some(most)) if exactly == most => exactly,
            (at_least, _) => at_least.max(63),
        };
        batch.next_run(1 + announced.min(MOST));
        if !batch.write(first, &mut bundles) {
            break;
        }
    }
    let ranges = batch.finish();
    Spawned::new(world.__living(), ranges)
}

impl<W: World, P: BundleComponents<W>> Batch<'_, W, P> {
    /// Spawns one by one: each may be refused for the sake of those before it.
    fn spawn_one(&mut self, parts: P) {
        // SAFETY: the invariant.
        append(&mut self.done, unsafe { spawn_one(self.world, parts) });
    }

    /// Takes the next slots in hand; `announced` more entities are expected.
    fn next_run(&mut self, announced: usize) {
        if self.ahead.is_empty() {
            self.ahead = match self.more.pop() {
                Some(range) => range,
                None => {
                    // SAFETY: the world is borrowed mutably for the batch.
                    let entities = unsafe { self.world.entities_mut() };
                    let kind = const { &P::SET.spawn_set(W::COMPONENTS.len()) };
                    entities.spawn_many(kind, announced, &mut self.more);
                    self.more.reverse();
                    self.more.pop().expect("at least one slot was asked for")
                }
            };
        }
        self.run = within_page(&self.ahead, P::WORDS);
        self.ahead.start = self.run.end;
        self.written = 0;
        // SAFETY: the invariant.
        self.rows = Some(unsafe { P::rows(self.world, self.run.start, self.run.len()) });
    }

    /// Writes `first` and what follows it until the run is full; `false` if the iterator ended before.
    ///
    /// The iterator drives the loop, so that what it makes is written where it belongs and nowhere before.
    #[inline(always)]
    fn write<B: Bundle<W, BundleComponents = P>>(
        &mut self,
        first: B,
        bundles: &mut impl Iterator<Item = B>,
    ) -> bool {
        let (rows, len) = (self.rows.expect("a run is in hand"), self.run.len());
        let mut count = Count { rows: 0, written: &mut self.written };
        let mut write = |bundle: B| {
            assert!(count.rows < len, "the iterator goes on after its consumer has stopped");
            // SAFETY: no more rows are written than the run has.
            unsafe { bundle.into_components().write(rows, count.rows) };
            count.rows += 1;
        };
        write(first);
        bundles.take(len - 1).for_each(write);
        drop(count);
        let full = self.written as usize == len;
        if full {
            self.commit();
        }
        full
    }

    /// Marks what is written, and adds what it requires.
    fn commit(&mut self) {
        let slots = self.run.start..self.run.start + self.written;
        // SAFETY: the invariant; these rows were written.
        unsafe { P::commit(self.world, slots.start, slots.len()) };
        self.run.start = slots.end;
        self.written = 0;
        if P::REQUIRES {
            for slot in slots.clone() {
                let entity = self.world.entities().at(slot as usize);
                let mut guard = Unfilled { world: self.world, slots: slot..slots.end };
                // SAFETY: the invariant.
                P::fill(&mut unsafe { RequiredInserter::new(self.world, entity) });
                guard.slots = 0..0;
            }
        }
        append(&mut self.done, slots);
    }

    fn finish(mut self) -> Vec<Range<u32>> {
        if self.written > 0 {
            self.commit();
        }
        core::mem::take(&mut self.done)
    }
}

/// Spawns an entity, and returns its slot as a range.
///
/// # Panics
/// If a rule refuses a part; and as [`put_new`].
///
/// # Safety
/// As for [`WorldCell::put`].
pub(super) unsafe fn spawn_one<W: World, P: BundleComponents<W>>(
    world: WorldCell<'_, W>,
    parts: P,
) -> Range<u32> {
    // SAFETY: the caller's promise.
    if let Some(refused) = unsafe { parts.refuse(world, None) } {
        refuse(refused);
    }
    let kind = const { &P::SET.spawn_set(W::COMPONENTS.len()) };
    // SAFETY: the caller's promise; the borrow of the entities ends with the statement.
    let entity = unsafe { world.entities_mut() }.spawn(kind);
    // SAFETY: the caller's promise.
    unsafe { put_new(world, entity, parts) };
    entity.slot()..entity.slot() + 1
}

/// The first of these slots, up to the end of their page of so many words.
pub(super) fn within_page(slots: &Range<u32>, words: usize) -> Range<u32> {
    let page = (words * 64) as u32;
    let end = (slots.start / page).saturating_add(1).saturating_mul(page);
    slots.start..slots.end.min(end)
}

/// Counts in a register; what it comes to is noted at the end, also if that is a panic in the user's iterator.
pub(super) struct Count<'a> {
    pub(super) rows: usize,
    pub(super) written: &'a mut u32,
}

impl Drop for Count<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        *self.written = self.rows as u32;
    }
}

impl<W: World, P: BundleComponents<W>> Drop for Batch<'_, W, P> {
    fn drop(&mut self) {
        if self.written > 0 {
            // Only after a panic in the iterator; a component that requires others is left without them.
            let slots = self.run.start..self.run.start + self.written;
            // SAFETY: the invariant; these rows were written.
            unsafe { P::commit(self.world, slots.start, slots.len()) };
            self.run.start = slots.end;
            if P::REQUIRES {
                drop(Unfilled { world: self.world, slots });
            }
        }
        // SAFETY: the world is borrowed mutably for the batch.
        let entities = unsafe { self.world.entities_mut() };
        let unused = [self.run.clone(), self.ahead.clone()];
        for slot in unused.into_iter().chain(self.more.drain(..)).flatten() {
            entities.unspawn(slot);
        }
    }
}

/// Gives an entity that has just begun to live its components, and those that they require. If a `Default` panics, or
/// what a rule calls, the entity is gone again.
///
/// # Safety
/// As for [`WorldCell::put`].
#[inline(always)]
pub(crate) unsafe fn put_new<W: World, P: BundleComponents<W>>(
    world: WorldCell<'_, W>,
    entity: Entity,
    parts: P,
) {
    // an address: of a branch the compiler walks through all that it mentions, even where it is never taken
    let put: Option<unsafe fn(WorldCell<'_, W>, Entity, P)> =
        const { if P::REQUIRES || P::GUARDED { Some(put_and_fill) } else { None } };
    // SAFETY: the caller's promise.
    unsafe {
        match put {
            Some(put) => put(world, entity, parts),
            None => parts.put_new(world, entity.slot()),
        }
    }
}

/// The same where something may panic on the way.
///
/// # Safety
/// As for [`WorldCell::put`].
unsafe fn put_and_fill<W: World, P: BundleComponents<W>>(world: WorldCell<'_, W>, entity: Entity, parts: P) {
    let mut guard = Unfilled { world, slots: entity.slot()..entity.slot() + 1 };
    // SAFETY: the caller's promise.
    unsafe { parts.put_new(world, entity.slot()) };
    if P::REQUIRES {
        // SAFETY: the caller's promise.
        P::fill(&mut unsafe { RequiredInserter::new(world, entity) });
    }
    guard.slots.end = guard.slots.start;
}

/// Gives a living entity components, and those that they require; what they replace.
///
/// # Safety
/// As for [`WorldCell::put`].
#[inline(always)]
pub(crate) unsafe fn put<W: World, P: BundleComponents<W>>(
    world: WorldCell<'_, W>,
    entity: Entity,
    parts: P,
) -> P::Options {
    // SAFETY: the caller's promise.
    let replaced = unsafe { parts.put(world, entity.slot()) };
    if P::REQUIRES {
        // SAFETY: the caller's promise.
        P::fill(&mut unsafe { RequiredInserter::new(world, entity) });
    }
    replaced
}

/// Entities that do not have all that they should: despawned, unless all goes well.
///
/// # Invariants
/// The cell was made of a world that is borrowed mutably for `'w`, and nothing of it is lent when the guard is dropped.
pub(crate) struct Unfilled<'w, W: World> {
    pub(crate) world: WorldCell<'w, W>,
    pub(crate) slots: Range<u32>,
}

impl<W: World> Drop for Unfilled<'_, W> {
    fn drop(&mut self) {
        for slot in self.slots.clone() {
            let entity = self.world.entities().at(slot as usize);
            // SAFETY: the invariant.
            let world = unsafe { self.world.world_mut() };
            let _ = world.despawn(entity);
        }
    }
}
