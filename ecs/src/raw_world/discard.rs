//! Operations on many columns of a world, whose types are not known here: dropping the values of
//! despawned entities, trimming the logs of removed values, updating indexes.
//!
//! The columns are reached by their [`ColumnOffset`](crate::storage::column_offset::ColumnOffset)s.
//! An offset has the functions that know the column's type.
#![expect(unsafe_code, reason = "columns are reached by their offsets in the world")]

use alloc::vec::Vec;
use core::ptr;
use core::sync::atomic::Ordering;

use crate::base::component_set::{ComponentSet, MAX_COMPONENTS};
use crate::base::mask::{Bits, Slots};
use crate::base::reader_stats::RemovedStats;
use crate::base::warning;
use crate::entity::Entity;
use crate::entity::allocator::NextGeneration;
use crate::raw_world::fields::table;
use crate::raw_world::targets::TargetRules;
use crate::raw_world::{RawWorld, WorldCell, WorldFields, journal};
use crate::storage::column_offset::{DropMode, LogFunctions, columns_where};
use crate::storage::removals::LateReader;
use crate::storage::rule_state::{ChangeContext, DespawnEffects};
use crate::storage::table::Table;

/// The number of components up to which a despawn visits all columns: with so few columns, that is
/// faster than finding out which of them have values in the block.
const FEW: usize = 8;

/// Despawns an entity and drops its components. Returns whether the entity was alive.
///
/// For a column whose values need no drop it clears a bit, without a call and without a guard
/// against panics. Visits the columns that have ever had a value in the entity's block. Rare cases
/// are calls at the end, so that no register is saved for them.
#[inline]
pub(crate) fn despawn<W: RawWorld>(world: &mut W, entity: Entity) -> bool {
    record_despawn(world, entity);
    let Some(next) = world.entities_mut().end(entity) else { return false };
    let slot = entity.slot();
    if !next.exists() || const { !dropped::<W>().is_empty() } && holds_others(world, slot) {
        return drop_of_entity(world, entity, next, None);
    }
    let cell = WorldCell::new(world);
    // SAFETY: `for_each_plain` gives the address of a column of the world, which is borrowed
    // mutably, and no reference to the column exists.
    for_each_plain(cell, slot, |column| unsafe { &mut *column }.forget(slot));
    world.entities_mut().give_back(slot);
    true
}

/// As [`despawn`], without the marks of some sources.
pub(crate) fn despawn_unmarked<W: RawWorld>(world: &mut W, entity: Entity, unmarked: Unmarked<'_>) -> bool {
    record_despawn(world, entity);
    let Some(next) = world.entities_mut().end(entity) else { return false };
    drop_of_entity(world, entity, next, Some(unmarked))
}

/// Whether a source gets no mark of the relation with this index.
pub(crate) type Unmarked<'f> = &'f dyn Fn(usize, Entity) -> bool;

/// Whether a column whose values need a drop may have a value for `slot`.
#[inline(always)]
fn holds_others<W: RawWorld>(world: &W, slot: u32) -> bool {
    let plain = const { &plain::<W>().words() };
    if const { W::OFFSETS.len() <= 64 } {
        return world.__living().held_word(slot) & !plain.0[0] != 0;
    }
    let held = world.__living().held(slot).iter().zip(&plain.0);
    held.fold(0, |others, (held, plain)| others | held.load(Ordering::Relaxed) & !plain) != 0
}

/// Calls `f` with the address of each column whose values need no drop and that may have one for
/// `slot`.
#[inline(always)]
fn for_each_plain<W: RawWorld>(cell: WorldCell<'_, W>, slot: u32, f: impl Fn(*mut Table)) {
    if const { W::OFFSETS.len() <= FEW } {
        for &offset in W::OFFSETS {
            if let DropMode::Plain = offset.values {
                // SAFETY: the offset is one of `W`, of a column that exists, since its values are
                // `Plain`.
                f(unsafe { cell.table(offset) });
            }
        }
        return;
    }
    let plain = const { &plain::<W>().words() };
    if const { W::OFFSETS.len() <= 64 } {
        let left = cell.entities().held_word(slot) & plain.0[0];
        return each_bit(left, |bit| {
            // SAFETY: `plain` has bits of columns only, which exist, and whose offsets are in the
            // list.
            f(unsafe { cell.table_at(const { &byte_offsets::<W, 64>() }[bit % 64]) })
        });
    }
    for (part, (held, plain)) in cell.entities().held(slot).iter().zip(&plain.0).enumerate() {
        let left = held.load(Ordering::Relaxed) & plain;
        each_bit(left, |bit| {
            let column = (part * 64 + bit) % MAX_COMPONENTS; // it is less, which the compiler does not know
            // SAFETY: `plain` has bits of columns only, which exist, and whose offsets are in the
            // list.
            f(unsafe { cell.table_at(const { &byte_offsets::<W, MAX_COMPONENTS>() }[column]) });
        });
    }
}

/// Calls `f` with the number of each bit of `left`, the lowest first.
///
/// A loop with one jump: [`Bits`] tests for the end before each bit, and takes two.
#[inline(always)]
fn each_bit(mut left: u64, mut f: impl FnMut(usize)) {
    if left == 0 {
        return;
    }
    loop {
        f(left.trailing_zeros() as usize);
        left &= left - 1;
        if left == 0 {
            return;
        }
    }
}

/// The offsets in bytes of the first `N` columns, side by side in memory.
const fn byte_offsets<W: RawWorld, const N: usize>() -> [usize; N] {
    let (mut bytes, mut i) = ([0; N], 0);
    while i < W::OFFSETS.len() && i < bytes.len() {
        bytes[i] = W::OFFSETS[i].bytes;
        i += 1;
    }
    bytes
}

/// Calls `step` until it returns `false`. If a call panics, for instance in the drop of a
/// component, the remaining calls are made all the same, before the panic goes on. `step` must come
/// to its end also if each call panics.
///
/// With the feature `std` any number of calls may panic, and the first panic goes on. Without it a
/// second panic aborts the program, as in any drop during unwinding.
pub(crate) fn despite_panics(step: &mut dyn FnMut() -> bool) {
    #[cfg(feature = "std")]
    {
        use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

        let mut first = None;
        while let Err(payload) = catch_unwind(AssertUnwindSafe(|| while step() {})) {
            match first {
                None => first = Some(payload),
                // its drop is a user's, and may panic
                Some(_) => core::mem::forget(payload),
            }
        }
        if let Some(payload) = first {
            resume_unwind(payload);
        }
    }
    #[cfg(not(feature = "std"))]
    {
        struct Rest<'s>(&'s mut dyn FnMut() -> bool);
        impl Drop for Rest<'_> {
            fn drop(&mut self) {
                while (self.0)() {}
            }
        }
        let rest = Rest(step);
        while (rest.0)() {}
    }
}

/// Records that an entity is about to be despawned, if it is alive and the world keeps a journal.
#[inline(always)]
fn record_despawn<W: RawWorld>(world: &mut W, entity: Entity) {
    if const { W::JOURNAL > 0 } && world.__living().contains(entity) {
        journal::record_despawn(world, entity);
    }
}

/// Despawns all entities and drops their components.
pub(crate) fn clear<W: RawWorld>(world: &mut W) {
    if const { W::JOURNAL > 0 } {
        let slots: Vec<u32> = Slots::new(world.__living().alive()).collect();
        slots.into_iter().for_each(|slot| record_despawn(world, world.__living().at(slot as usize)));
    }
    log_all(world);
    world.entities_mut().clear();
    // also after a panic in the drop of a value, the logs keep no more values than their bounds
    let mut steps = [all::<W>, trim::<W>].into_iter();
    despite_panics(&mut || steps.next().map(|step| step(world)).is_some());
}

/// Frees the slot of an entity whose generation has ended, and drops its values. Also despawns the
/// entities that depend on it by a relation, and adds the marks of relations with
/// `gone = mark(..)`. If a drop panics, the rest is still done. Returns `true`.
#[inline(never)]
fn drop_of_entity<W: RawWorld>(
    world: &mut W,
    entity: Entity,
    next: NextGeneration,
    unmarked: Option<Unmarked<'_>>,
) -> bool {
    world.entities_mut().free(entity.slot(), next);
    let held = world.__living().columns_of(entity.slot());
    let mut effects = PendingEffects(world, DespawnEffects::default(), unmarked);
    drop_in_columns(effects.0, held, Some(entity), &mut effects.1);
    effects.run(); // the drop is for unwinding only: a panic in a drop during unwinding aborts the process
    true
}

/// Applies the policies of relations to the sources of a live entity that has lost components which
/// the relations name. If a drop panics, the rest is still done.
pub(crate) fn lose_target<W: RawWorld>(
    world: &mut W,
    entity: Entity,
    lost: ComponentSet,
    unmarked: Option<Unmarked<'_>>,
) {
    let mut relations = TargetRules::<W>::RELATIONS.indices();
    despite_panics(&mut || {
        let Some(index) = relations.next() else { return false };
        let offset = W::OFFSETS[index];
        if let Some(rule) = offset.targets
            && rule.components.meets(&lost)
        {
            let mut effects = PendingEffects(world, DespawnEffects::default(), unmarked);
            let cell = WorldCell::new(&mut *effects.0);
            let (entities, tick) = (cell.entities(), cell.this_run());
            let context = ChangeContext { entity, entities, index, tick };
            // SAFETY: the offset is one of `W`, of a column that exists and has the type of the
            // function. The world is borrowed mutably, and no reference to the column exists.
            unsafe { (rule.lose)(cell.table(offset), context, &mut effects.1) };
            effects.run();
        }
        true
    });
}

/// The effects of a despawn, or of the loss of a component of a target, that are not applied yet. A
/// panic applies the rest.
struct PendingEffects<'w, W: RawWorld>(&'w mut W, DespawnEffects, Option<Unmarked<'w>>);

impl<W: RawWorld> PendingEffects<'_, W> {
    /// Works through the effects in a loop, without recursion: a chain of dependent entities may be
    /// long.
    fn run(&mut self) {
        while let Some(dependent) = self.1.despawned.pop() {
            record_despawn(self.0, dependent);
            if self.0.entities_mut().despawn(dependent) {
                let held = self.0.__living().columns_of(dependent.slot());
                drop_in_columns(self.0, held, Some(dependent), &mut self.1);
            }
        }
        if const { !marking::<W>().is_empty() } {
            while let Some((relation, source)) = self.1.marked.pop_front() {
                if self.2.is_none_or(|unmarked| !unmarked(relation, source)) {
                    mark(self.0, relation, source);
                }
            }
        }
    }
}

impl<W: RawWorld> Drop for PendingEffects<'_, W> {
    fn drop(&mut self) {
        self.run();
    }
}

/// Adds the mark to the source of a relation that has lost its target, if the source is alive.
fn mark<W: RawWorld>(world: &mut W, relation: usize, source: Entity) {
    if let Some(mark) = W::OFFSETS.get(relation).and_then(|offset| offset.mark)
        && world.__living().contains(source)
    {
        // SAFETY: the offset is one of `W`, and `world` is borrowed mutably.
        unsafe { (mark.give)(ptr::from_mut(world).cast(), source) };
    }
}

/// The relations that mark their sources.
const fn marking<W: RawWorld>() -> ComponentSet {
    columns_where!(W, |offset| offset.mark.is_some())
}

/// Drops all values of all columns.
pub(crate) fn all<W: RawWorld>(world: &mut W) {
    drop_in_columns(world, 0..W::OFFSETS.len(), None, &mut DespawnEffects::default());
}

/// Drops the values of one entity in these columns, or all their values. If a drop panics, the
/// remaining columns are still visited. Adds the effects on other entities to `effects`.
fn drop_in_columns<W: RawWorld>(
    world: &mut W,
    columns: impl Iterator<Item = usize>,
    entity: Option<Entity>,
    effects: &mut DespawnEffects,
) {
    struct RemainingColumns<'w, W: RawWorld, I: Iterator<Item = usize>>(
        &'w mut W,
        I,
        Option<Entity>,
        &'w mut DespawnEffects,
    );
    impl<W: RawWorld, I: Iterator<Item = usize>> RemainingColumns<'_, W, I> {
        fn run(&mut self) {
            let Self(world, columns, entity, effects) = self;
            for index in columns {
                let Some(&offset) = W::OFFSETS.get(index) else { continue };
                let cell = WorldCell::new(&mut **world);
                // SAFETY: the offset is one of `W`; unless its values are `None`, the column exists
                // and has the type of the functions in the offset. The world is borrowed mutably,
                // and no reference to the column exists.
                unsafe {
                    match (offset.values, *entity) {
                        (DropMode::None, _) => {}
                        (DropMode::Plain, Some(entity)) => (*cell.table(offset)).forget(entity.slot()),
                        (DropMode::Plain, None) => (*cell.table(offset)).forget_all(),
                        (DropMode::Dropped(_, _, Some(despawn)), Some(entity)) => {
                            let (entities, tick) = (cell.entities(), cell.this_run());
                            despawn(
                                cell.table(offset),
                                ChangeContext { entity, entities, index, tick },
                                effects,
                            );
                        }
                        (DropMode::Dropped(drops, _, None), Some(entity)) => {
                            (drops.one)(cell.table(offset), entity);
                        }
                        (DropMode::Dropped(drops, ..), None) => (drops.all)(cell.table(offset)),
                    }
                }
            }
        }
    }
    impl<W: RawWorld, I: Iterator<Item = usize>> Drop for RemainingColumns<'_, W, I> {
        fn drop(&mut self) {
            self.run();
        }
    }
    RemainingColumns(world, columns, entity, effects).run();
}

/// Moves all values of `removed` components into the logs of removed values.
pub(crate) fn log_all<W: RawWorld>(world: &mut W) {
    let cell = WorldCell::new(world);
    // SAFETY: `for_each_logged` gives a column of the type that `logs` knows, to which no reference
    // exists.
    for_each_logged(cell, |_, logs, column| unsafe { (logs.all)(column, cell.entities()) });
}

/// Frees the removed values that all readers have read, and reports a reader that has lost values.
#[inline]
pub(crate) fn trim<W: RawWorld>(world: &mut W) {
    for_each_logged(WorldCell::new(world), |index, logs, column| {
        // SAFETY: `for_each_logged` gives a column of the type that `logs` knows, to which no
        // reference exists.
        if let Some(late) = unsafe { (logs.trim)(column) } {
            warn_of_loss::<W>(index, &late);
        }
    });
}

/// Prints a warning about a reader that has lost removed values.
#[cold]
fn warn_of_loss<W: RawWorld>(component: usize, late: &LateReader) {
    let (LateReader { unread, lost, .. }, (schedule, system)) = (late, W::__system_names(late.place));
    warning::warn(format_args!(
        "world `{}`: removed values of component `{}`: `{system}` of schedule `{schedule}` is {unread} values behind, \
         and the oldest {lost} of them were dropped: run the system more often, or keep more values with \
         `#[component(removed = 1024)]` or `#[component(removed = all)]`; this is reported once",
        W::WORLD_NAME,
        W::COMPONENT_NAMES[component]
    ));
}

/// Statistics of the removed values of a component; `None` if they are not kept, or no schedule
/// reads them.
pub(crate) fn removed_stats<W: RawWorld>(world: &W, component: usize) -> Option<RemovedStats> {
    let DropMode::Dropped(_, Some(logs), _) = W::OFFSETS.get(component)?.values else { return None };
    // SAFETY: `table` returns the column at this offset, which has the type that `logs` knows, and
    // `world` is borrowed shared.
    unsafe { (logs.stats)(table(world, component)?, W::__system_names) }
}

/// Tells the columns whose removed values are kept that a flush of commands begins or ends.
#[inline]
pub(crate) fn set_flushing<W: RawWorld>(world: &mut W, on: bool) {
    // SAFETY: `for_each_logged` gives a column of the type that `logs` knows, to which no reference
    // exists.
    for_each_logged(WorldCell::new(world), |_, logs, column| unsafe { (logs.set_flushing)(column, on) });
}

/// Updates the indexes with the values that were changed in place, and advances the tick, so that
/// later changes are distinct.
///
/// Every executor calls this before and after each section of a schedule: it advances the tick, and
/// ticks are saved, so that all executors must call it equally often.
#[inline]
pub(crate) fn reindex_changed<W: RawWorld>(world: &mut W) {
    // SAFETY: `world` is borrowed mutably, and no reference to a part of it exists.
    unsafe { reindex_times(WorldCell::new(world), 1) };
}

/// [`reindex_changed`] through a cell, with the effect of `times` calls in a row.
///
/// # Safety
/// The cell's world is borrowed mutably, and no reference to its entities or columns exists.
#[inline]
pub(crate) unsafe fn reindex_times<W: RawWorld>(cell: WorldCell<'_, W>, times: usize) {
    if const { W::JOURNAL > 0 }
        && let Some(journal) = cell.entities().journal()
    {
        journal.settle();
    }
    if const { indexed::<W>().is_empty() } {
        return;
    }
    // SAFETY: by the caller's contract no reference to the entities exists, and this borrow ends
    // with the statement.
    unsafe { cell.entities_mut() }.next_ticks(times);
    // SAFETY: this function has the contract of `reindex_until`.
    unsafe { reindex_until(cell, cell.entities().tick()) };
}

/// Updates the indexes with the values that were changed in place before a tick. Later changes have
/// no earlier stamp.
///
/// # Safety
/// The cell's world is borrowed mutably, and no reference to its columns exists.
#[inline]
unsafe fn reindex_until<W: RawWorld>(cell: WorldCell<'_, W>, tick: u64) {
    for offset in W::OFFSETS {
        if let Some(reindex_changed) = offset.reindex_changed {
            // SAFETY: the offset is one of `W`, of a column that exists and has the type that the
            // function knows. By the caller's contract no reference to the column exists.
            unsafe { reindex_changed(cell.table(*offset), tick) };
        }
    }
}

/// [`reindex_changed`] before a query that may change components of `written`, if one of them has
/// an index.
#[inline(always)]
pub(crate) fn reindex_before<W: RawWorld>(world: &mut W, written: ComponentSet) {
    if may_reindex::<W>(written.folded()) {
        reindex_changed(world);
    }
}

/// Whether code that writes such components, [folded](ComponentSet::folded), may change indexed
/// values in place.
#[inline(always)]
pub(crate) const fn may_reindex<W: RawWorld>(written: u128) -> bool {
    written & const { indexed::<W>().folded() } != 0
}

/// Updates the indexes with the changes in place of systems whose ticks are at most `tick`, so that
/// lookups of later systems need not visit them. Those of these systems that may change indexed
/// values have run.
///
/// # Safety
/// The cell's world is borrowed mutably, no system is running, and no reference to its columns
/// exists.
#[cold]
#[inline(never)]
pub(crate) unsafe fn reindex_after<W: RawWorld>(cell: WorldCell<'_, W>, tick: u64) {
    // SAFETY: this function has the contract of `reindex_until`.
    unsafe { reindex_until(cell, tick + 1) };
}

/// The indexed columns whose values may be changed in place.
const fn indexed<W: RawWorld>() -> ComponentSet {
    columns_where!(W, |offset| offset.reindex_changed.is_some())
}

/// Calls `f` with each column whose removed values are kept, by its index, its functions and its
/// address. The column exists and has the type that the functions know. The callers' cells borrow
/// the world mutably, and no reference to the column exists.
#[inline]
fn for_each_logged<W: RawWorld>(cell: WorldCell<'_, W>, f: impl Fn(usize, LogFunctions, *mut Table)) {
    if const { logged::<W>().is_empty() } {
        return;
    }
    for (part, &logged) in const { &logged::<W>().words() }.0.iter().enumerate() {
        for bit in Bits(logged) {
            if let Some(offset) = W::OFFSETS.get(part * 64 + bit)
                && let DropMode::Dropped(_, Some(logs), _) = offset.values
            {
                // SAFETY: the offset is one of `W`, of a column that exists, since its values are
                // `Dropped`.
                f(part * 64 + bit, logs, unsafe { cell.table(*offset) });
            }
        }
    }
}

/// The columns whose removed values are kept.
const fn logged<W: RawWorld>() -> ComponentSet {
    columns_where!(W, |offset| matches!(offset.values, DropMode::Dropped(_, Some(_), _)))
}

/// The columns whose values need no drop.
const fn plain<W: RawWorld>() -> ComponentSet {
    columns_where!(W, |offset| matches!(offset.values, DropMode::Plain))
}

/// The columns whose values need a drop.
const fn dropped<W: RawWorld>() -> ComponentSet {
    columns_where!(W, |offset| matches!(offset.values, DropMode::Dropped(..)))
}
