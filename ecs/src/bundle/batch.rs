//! Spawning entities from bundles, one by one or in a batch. A batch writes the columns in bulk.
#![expect(unsafe_code, reason = "values are written before their mask bits are set")]

use alloc::vec::Vec;
use core::ops::Range;

use super::{Bundle, BundleComponents};
use crate::base::vec_values::{VecValues, may_be_vec};
use crate::component::requires::RequiredInserter;
use crate::entity::Entity;
use crate::entity::allocator::{Entities, append};
use crate::entity::journal::RecordedAction;
use crate::entity::spawn_sites::SpawnSite;
use crate::error::refuse;
use crate::raw_world::{RawWorld, WorldFields, discard, journal};
use crate::storage::column::Count;

/// The maximal number of slots that are allocated at once, whatever size hint an iterator gives.
pub(super) const MOST: usize = 1 << 16;

/// Iterator over the ids of a batch of spawned entities, in the order of the bundles.
#[derive(Clone, Debug)]
pub struct Spawned<'w> {
    entities: &'w Entities,
    ranges: Vec<Range<u32>>,
    at: usize,
    left: usize,
}

impl<'w> Spawned<'w> {
    /// The slots of the entities that are left.
    pub(crate) fn into_ranges(self) -> Vec<Range<u32>> {
        self.ranges
    }

    /// The entities in these slots, which were spawned at one place in the source.
    pub(crate) fn at(site: SpawnSite, entities: &'w mut Entities, ranges: Vec<Range<u32>>) -> Self {
        if cfg!(debug_assertions) {
            for slot in ranges.iter().cloned().flatten() {
                entities.note_site(entities.at(slot as usize), site);
            }
        }
        Self::new(entities, ranges)
    }

    /// The entities in these slots.
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

/// A batch of entities that is being spawned. Its slots are allocated, and values are written from
/// the first slot on.
///
/// If it is dropped early, by a panic in the user's iterator or in a `Default`, it keeps the
/// entities that are completely written and frees the other slots.
struct Batch<'w, W: RawWorld, P: BundleComponents<W>> {
    world: &'w mut W,
    /// The slots that are being written, all within one page of every column.
    run: Range<u32>,
    /// The number of slots of `run` that are written.
    written: usize,
    /// The allocated slots after `run`.
    ahead: Range<u32>,
    /// The allocated slots after `ahead`, in reverse order.
    more: Vec<Range<u32>>,
    /// The slots of spawned entities.
    done: Vec<Range<u32>>,
    /// The addresses of the values of `run`.
    rows: Option<P::Rows>,
}

/// Spawns an entity for each bundle.
pub(crate) fn spawn_batch<W: RawWorld, B: Bundle<W>, I: Iterator<Item = B>>(
    world: &mut W,
    bundles: I,
    site: SpawnSite,
) -> Spawned<'_> {
    let mut batch = Batch::<W, B::BundleComponents> {
        world: &mut *world,
        run: 0..0,
        written: 0,
        ahead: 0..0,
        more: Vec::new(),
        done: Vec::new(),
        rows: None,
    };
    let mut bundles = bundles;
    if B::BundleComponents::GUARDED {
        // the iterator is not asked again: after its end it may go on
        bundles.for_each(|bundle| batch.spawn_one(bundle.into_components()));
        let ranges = batch.finish();
        return Spawned::at(site, world.entities_mut(), ranges);
    }
    if const { may_be_vec::<I>() }
        && let Some(mut bundles) = VecValues::of(&mut bundles)
    {
        while bundles.len() > 0 {
            batch.next_run(bundles.len().min(1 + MOST));
            batch.write_vec(&mut bundles);
        }
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
    Spawned::at(site, world.entities_mut(), ranges)
}

impl<W: RawWorld, P: BundleComponents<W>> Batch<'_, W, P> {
    /// Spawns one entity of a bundle with rules, which may refuse a value because of the entities
    /// before it.
    fn spawn_one(&mut self, components: P) {
        let slot = spawn_one(self.world, components).slot();
        append(&mut self.done, slot..slot + 1);
    }

    /// Sets `run` to the next slots. If none are allocated, allocates `announced` slots, the number
    /// of entities that are expected.
    fn next_run(&mut self, announced: usize) {
        if self.ahead.is_empty() {
            self.ahead = match self.more.pop() {
                Some(range) => range,
                None => {
                    let set = const { &P::SET.spawn_set(W::COMPONENT_NAMES.len()) };
                    self.world.entities_mut().spawn_many(set, announced, &mut self.more);
                    self.more.reverse();
                    self.more.pop().expect("`spawn_many` allocates at least one slot")
                }
            };
        }
        self.run = within_page(&self.ahead, P::WORDS);
        self.ahead.start = self.run.end;
        self.written = 0;
        self.rows = Some(P::rows(self.world, self.run.start, self.run.len()));
    }

    /// Writes `first` and further bundles of the iterator until the run is full. Returns `false` if
    /// the iterator ends before.
    ///
    /// The iterator drives the loop (`for_each`), so that the compiler can write a value directly
    /// to its place in the column.
    #[inline(always)]
    fn write<B: Bundle<W, BundleComponents = P>>(
        &mut self,
        first: B,
        bundles: &mut impl Iterator<Item = B>,
    ) -> bool {
        let (rows, len) = (self.rows.expect("`next_run` has set the addresses"), self.run.len());
        let mut count = Count { rows: 0, written: &mut self.written };
        let mut write = |bundle: B| {
            assert!(count.rows < len, "the iterator goes on after its consumer has stopped");
            // SAFETY: the row is within the run, by the assertion, and has no value yet.
            unsafe { bundle.into_components().write(rows, count.rows) };
            count.rows += 1;
        };
        write(first);
        bundles.take(len - 1).for_each(write);
        drop(count);
        let full = self.written == len;
        if full {
            self.commit();
        }
        full
    }

    /// Writes bundles of a `Vec` until the run is full or no bundle is left.
    fn write_vec<B: Bundle<W, BundleComponents = P>>(&mut self, bundles: &mut VecValues<B>) {
        let (rows, len) = (self.rows.expect("`next_run` has set the addresses"), self.run.len());
        let mut count = Count { rows: 0, written: &mut self.written };
        bundles.move_each(len, |bundle| {
            // SAFETY: the row is within the run, because there are at most `len` calls, and has no
            // value yet.
            unsafe { bundle.into_components().write(rows, count.rows) };
            count.rows += 1;
        });
        drop(count);
        if self.written == len {
            self.commit();
        }
    }

    /// Sets the mask bits of the written rows, and inserts the required components.
    fn commit(&mut self) {
        let slots = self.run.start..self.run.start + self.written as u32;
        journal::record_spawned(self.world, slots.clone());
        // SAFETY: `write` or `write_vec` has initialised the first `written` rows of `run`.
        unsafe { P::commit(self.world, slots.start, slots.len()) };
        self.run.start = slots.end;
        self.written = 0;
        if P::REQUIRES {
            let entities = ids(self.world.__living(), slots.clone()).into_iter();
            let mut guard = Incomplete { world: &mut *self.world, entities };
            while let Some(&entity) = guard.entities.as_slice().first() {
                P::fill(&mut RequiredInserter::new(guard.world, entity));
                guard.entities.next();
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

/// Spawns an entity.
///
/// # Panics
/// If a rule refuses a component, or the `Default` of a required component panics.
pub(super) fn spawn_one<W: RawWorld, P: BundleComponents<W>>(world: &mut W, components: P) -> Entity {
    if let Some(refused) = components.refuse(world, None) {
        refuse(refused);
    }
    spawn_accepted(world, components)
}

/// Spawns an entity with components that no rule refuses.
#[inline(always)]
#[cfg_attr(debug_assertions, track_caller)]
pub(crate) fn spawn_accepted<W: RawWorld, P: BundleComponents<W>>(world: &mut W, components: P) -> Entity {
    let set = const { &P::SET.spawn_set(W::COMPONENT_NAMES.len()) };
    let entity = world.entities_mut().spawn(set);
    put_new(world, entity, components);
    world.entities_mut().note_site(entity, SpawnSite::of_caller());
    entity
}

/// Makes room for `count` more entities with the components of a bundle: slots of its allocation
/// group, and pages of its columns.
pub(crate) fn reserve<W: RawWorld, P: BundleComponents<W>>(world: &mut W, count: usize) {
    let set = const { &P::SET.spawn_set(W::COMPONENT_NAMES.len()) };
    let mut ranges = Vec::new();
    // a batch of up to 64 entities would get slots that its group shares with others
    world.entities_mut().spawn_many(set, count.max(65), &mut ranges);
    for range in &ranges {
        let mut left = range.clone();
        while !left.is_empty() {
            let run = within_page(&left, P::WORDS);
            left.start = run.end;
            P::rows(world, run.start, run.len());
        }
    }
    let entities = world.entities_mut();
    ranges.into_iter().flatten().for_each(|slot| entities.unspawn(slot));
}

/// The entities in these slots.
fn ids(entities: &Entities, slots: Range<u32>) -> Vec<Entity> {
    slots.map(|slot| entities.at(slot as usize)).collect()
}

/// The first of these slots, up to the end of their page; a page has `words` words of 64 slots.
pub(super) fn within_page(slots: &Range<u32>, words: usize) -> Range<u32> {
    let page = (words * 64) as u32;
    let end = (slots.start / page).saturating_add(1).saturating_mul(page);
    slots.start..slots.end.min(end)
}

impl<W: RawWorld, P: BundleComponents<W>> Drop for Batch<'_, W, P> {
    fn drop(&mut self) {
        if self.written > 0 {
            // Only after a panic, of the iterator for instance. Required components are not added:
            // entities that need them are despawned.
            let slots = self.run.start..self.run.start + self.written as u32;
            journal::record_spawned(self.world, slots.clone());
            // SAFETY: `write` or `write_vec` has initialised the first `written` rows of `run`:
            // `Count` notes the number also in a panic.
            unsafe { P::commit(self.world, slots.start, slots.len()) };
            self.run.start = slots.end;
            if P::REQUIRES {
                let entities = ids(self.world.__living(), slots);
                drop(Incomplete { world: &mut *self.world, entities });
            }
        }
        let entities = self.world.entities_mut();
        let unused = [self.run.clone(), self.ahead.clone()];
        for slot in unused.into_iter().chain(self.more.drain(..)).flatten() {
            entities.unspawn(slot);
        }
    }
}

/// Inserts components, with those that they require, into an entity that has just been spawned. If
/// a `Default` panics, or code that a rule calls, the entity is despawned.
#[inline(always)]
pub(crate) fn put_new<W: RawWorld, P: BundleComponents<W>>(world: &mut W, entity: Entity, components: P) {
    journal::record(world, RecordedAction::Spawned, entity);
    if P::REQUIRES || P::GUARDED {
        put_and_fill(world, entity, components);
    } else {
        components.put_new(world, entity);
    }
}

/// [`put_new`] for bundles with rules or required components, whose code may panic.
fn put_and_fill<W: RawWorld, P: BundleComponents<W>>(world: &mut W, entity: Entity, components: P) {
    let guard = Incomplete { world, entities: [entity] };
    components.put_new(guard.world, entity);
    if P::REQUIRES {
        P::fill(&mut RequiredInserter::new(guard.world, entity));
    }
    core::mem::forget(guard);
}

/// Inserts components, with those that they require, into a living entity. Returns the replaced
/// values.
#[inline(always)]
pub(crate) fn put<W: RawWorld, P: BundleComponents<W>>(
    world: &mut W,
    entity: Entity,
    components: P,
) -> P::Options {
    let replaced = components.put(world, entity);
    if P::REQUIRES {
        P::fill(&mut RequiredInserter::new(world, entity));
    }
    replaced
}

/// Entities that are not complete: if a panic drops the guard, they are despawned, in the order of
/// the list. Code that has completed them forgets the guard, or takes the entities out.
pub(crate) struct Incomplete<'w, W: RawWorld, E: AsRef<[Entity]>> {
    pub(crate) world: &'w mut W,
    pub(crate) entities: E,
}

impl<W: RawWorld, E: AsRef<[Entity]>> Drop for Incomplete<'_, W, E> {
    fn drop(&mut self) {
        for &entity in self.entities.as_ref() {
            // one that a relation has taken along is dead already
            if self.world.__living().contains(entity) {
                let _ = discard::despawn(self.world, entity);
            }
        }
    }
}
