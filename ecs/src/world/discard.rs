//! Dropping what entities hold.
#![expect(unsafe_code, reason = "columns are reached by their places in the world")]

use core::ptr;
use core::sync::atomic::Ordering;

use super::{World, WorldCell};
use crate::base::component_set::ComponentSet;
use crate::base::mask::Bits;
use crate::base::warning;
use crate::entity::Entity;
use crate::storage::column_offset::{Logs, Values};
use crate::storage::removals::LateReader;
use crate::storage::rule_state::{ChangeContext, DespawnEffects};
use crate::storage::table::Table;

/// A world of so many components at most asks all columns: that takes less than to find out which.
const FEW: usize = 8;

/// Drops all that an entity has that has just died: the columns that are asked are those that ever held something in its
/// block.
///
/// Where values need no dropping, clearing a bit is all there is to do, and that takes neither a call nor a guard.
#[inline]
pub(super) fn of_entity<W: World>(world: &mut W, entity: Entity) {
    let slot = entity.slot();
    let cell = WorldCell::new(world);
    let plain = const { &plain::<W>().words() };
    if const { W::OFFSETS.len() <= FEW } {
        for &offset in W::OFFSETS {
            if let Values::Plain = offset.values {
                // SAFETY: the world is borrowed mutably, nothing of this column is lent, and it is there.
                unsafe { &mut *cell.table(offset) }.forget(slot);
            }
        }
        if const { all_plain::<W>() } {
            return;
        }
    }
    let mut others = 0;
    for (part, (held, plain)) in cell.entities().held(slot).iter().zip(&plain.0).enumerate() {
        let held = held.load(Ordering::Relaxed);
        if const { W::OFFSETS.len() > FEW } {
            for bit in Bits(held & plain) {
                // SAFETY: `plain` has the bits of columns only; the world is borrowed mutably, nothing of this column is
                // lent, and it is there.
                unsafe { &mut *cell.table(*W::OFFSETS.get_unchecked(part * 64 + bit)) }.forget(slot);
            }
        }
        others |= held & !plain;
    }
    if others != 0 {
        drop_of_entity(world, entity);
    }
}

/// Drops the values of an entity that need dropping, despawns the entities that die with it, and marks those that get a mark; if
/// a drop panics, the rest is still done.
#[inline(never)]
fn drop_of_entity<W: World>(world: &mut W, entity: Entity) {
    struct Orphans<'w, W: World>(&'w mut W, DespawnEffects);
    impl<W: World> Orphans<'_, W> {
        /// One after the other, not one within the other: a chain of them may be long.
        fn run(&mut self) {
            while let Some(orphan) = self.1.despawned.pop() {
                // SAFETY: the world is borrowed mutably, and this borrow ends with the statement.
                if unsafe { WorldCell::new(self.0).entities_mut() }.despawn(orphan) {
                    let held = self.0.__living().columns_of(orphan.slot());
                    in_columns(self.0, held, Some(orphan), &mut self.1);
                }
            }
            if const { marks::<W>() } {
                while let Some((relation, source)) = self.1.marked.pop_front() {
                    mark(self.0, relation, source);
                }
            }
        }
    }
    impl<W: World> Drop for Orphans<'_, W> {
        fn drop(&mut self) {
            self.run();
        }
    }
    let held = world.__living().columns_of(entity.slot());
    let mut orphans = Orphans(world, DespawnEffects::default());
    in_columns(orphans.0, held, Some(entity), &mut orphans.1);
    orphans.run(); // not left to the drop: that goes on after a panic, and one within itself would end it
}

/// Marks the source of a relation whose target has died, if the source is alive.
fn mark<W: World>(world: &mut W, relation: usize, source: Entity) {
    if let Some(mark) = W::OFFSETS.get(relation).and_then(|offset| offset.mark)
        && world.contains(source)
    {
        // SAFETY: the offset is one of this world, which is borrowed mutably.
        unsafe { (mark.give)(ptr::from_mut(world).cast(), source) };
    }
}

/// Whether a relation marks its sources.
const fn marks<W: World>() -> bool {
    let mut i = 0;
    while i < W::OFFSETS.len() {
        if W::OFFSETS[i].mark.is_some() {
            return true;
        }
        i += 1;
    }
    false
}

/// Drops all that all entities have.
pub(super) fn all<W: World>(world: &mut W) {
    in_columns(world, 0..W::OFFSETS.len(), None, &mut DespawnEffects::default());
}

/// Drops the value of one entity, or all values, in these columns; if a drop panics, the rest is dropped all the same.
/// Adds the effects on other entities to `effects`.
fn in_columns<W: World>(
    world: &mut W,
    columns: impl Iterator<Item = usize>,
    entity: Option<Entity>,
    effects: &mut DespawnEffects,
) {
    struct Rest<'w, W: World, I: Iterator<Item = usize>>(
        &'w mut W,
        I,
        Option<Entity>,
        &'w mut DespawnEffects,
    );
    impl<W: World, I: Iterator<Item = usize>> Rest<'_, W, I> {
        fn run(&mut self) {
            let Self(world, columns, entity, effects) = self;
            for index in columns {
                let Some(&offset) = W::OFFSETS.get(index) else { continue };
                let cell = WorldCell::new(&mut **world);
                // SAFETY: the world is borrowed mutably, nothing of this column is lent, and it is there, and of the
                // type that its functions know.
                unsafe {
                    match (offset.values, *entity) {
                        (Values::None, _) => {}
                        (Values::Plain, Some(entity)) => (*cell.table(offset)).forget(entity.slot()),
                        (Values::Plain, None) => (*cell.table(offset)).forget_all(),
                        (Values::Dropped(_, _, Some(dies)), Some(entity)) => {
                            let (entities, tick) = (cell.entities(), cell.this_run());
                            dies(
                                cell.table(offset),
                                ChangeContext { entity, entities, index, tick },
                                effects,
                            );
                        }
                        (Values::Dropped(drops, _, None), Some(entity)) => {
                            (drops.one)(cell.table(offset), entity);
                        }
                        (Values::Dropped(drops, ..), None) => (drops.all)(cell.table(offset)),
                    }
                }
            }
        }
    }
    impl<W: World, I: Iterator<Item = usize>> Drop for Rest<'_, W, I> {
        fn drop(&mut self) {
            self.run();
        }
    }
    Rest(world, columns, entity, effects).run();
}

/// Moves all values that are kept for those who react to it to where they are kept.
pub(super) fn log_all<W: World>(world: &mut W) {
    let cell = WorldCell::new(world);
    // SAFETY: see `in_logged`.
    in_logged(cell, |_, logs, column| unsafe { (logs.all)(column, cell.entities()) });
}

/// Frees removed values that all have read.
#[inline]
pub(crate) fn trim<W: World>(world: &mut W) {
    in_logged(WorldCell::new(world), |index, logs, column| {
        // SAFETY: see `in_logged`.
        if let Some(late) = unsafe { (logs.trim)(column) } {
            warn_of_loss::<W>(index, &late);
        }
    });
}

/// Reports the reader that has missed removed values.
#[cold]
fn warn_of_loss<W: World>(component: usize, late: &LateReader) {
    let (LateReader { unread, lost, .. }, (schedule, system)) = (late, W::__system_names(late.place));
    warning::warn(format_args!(
        "world `{}`: removed values of component `{}`: `{system}` of schedule `{schedule}` is {unread} values behind, \
         and the oldest {lost} of them were dropped: run the system, or declare how many values are kept, \
         `#[component(removed = 1024)]` or `#[component(removed = all)]`; this is reported once",
        W::NAME,
        W::COMPONENTS[component]
    ));
}

/// Says to the columns whose removed values are kept that a flush begins, or is over.
#[inline]
pub(crate) fn set_flushing<W: World>(world: &mut W, on: bool) {
    // SAFETY: see `in_logged`.
    in_logged(WorldCell::new(world), |_, logs, column| unsafe { (logs.set_flushing)(column, on) });
}

/// Lets the indexes look at what was changed in place. What is changed from now on is later.
///
/// Every executor calls this before and after each section of a schedule, since it takes a tick, and ticks are saved.
#[inline]
pub(crate) fn reindex_changed<W: World>(world: &mut W) {
    // SAFETY: the world is borrowed mutably, and nothing of it is lent.
    unsafe { look_through(WorldCell::new(world), 1) };
}

/// The same through a cell, several times, with nothing between.
///
/// # Safety
/// The world is borrowed mutably, and nothing of its entities and columns is lent.
#[inline]
pub(crate) unsafe fn look_through<W: World>(cell: WorldCell<'_, W>, times: usize) {
    if const { indexed::<W>().is_empty() } {
        return;
    }
    // SAFETY: the caller's promise, and the borrow of the entities ends with the statement.
    unsafe { cell.entities_mut() }.next_ticks(times);
    for offset in W::OFFSETS {
        if let Some(reindex_changed) = offset.reindex_changed {
            // SAFETY: the world is borrowed mutably, nothing of this column is lent, and it is there, and of the type that
            // the function knows.
            unsafe { reindex_changed(cell.table(*offset), cell.entities().tick()) };
        }
    }
}

/// The columns by whose values entities are found, and whose values may be changed in place.
const fn indexed<W: World>() -> ComponentSet {
    let (mut set, mut i) = (ComponentSet::EMPTY, 0);
    while i < W::OFFSETS.len() {
        if W::OFFSETS[i].reindex_changed.is_some() {
            set = set.with(i);
        }
        i += 1;
    }
    set
}

/// Calls `f` with each column whose removed values are kept. The world is borrowed mutably, nothing of the column is
/// lent, and it is there, and of the type that the functions know.
#[inline]
fn in_logged<W: World>(cell: WorldCell<'_, W>, f: impl Fn(usize, Logs, *mut Table)) {
    if const { logged::<W>().is_empty() } {
        return;
    }
    for (part, &logged) in const { &logged::<W>().words() }.0.iter().enumerate() {
        for bit in Bits(logged) {
            if let Some(offset) = W::OFFSETS.get(part * 64 + bit)
                && let Values::Dropped(_, Some(logs), _) = offset.values
            {
                // SAFETY: the offset is one of the world, of a column that is there.
                f(part * 64 + bit, logs, unsafe { cell.table(*offset) });
            }
        }
    }
}

/// The columns whose removed values are kept.
const fn logged<W: World>() -> ComponentSet {
    let (mut set, mut i) = (ComponentSet::EMPTY, 0);
    while i < W::OFFSETS.len() {
        if matches!(W::OFFSETS[i].values, Values::Dropped(_, Some(_), _)) {
            set = set.with(i);
        }
        i += 1;
    }
    set
}

/// The columns whose values need no dropping.
const fn plain<W: World>() -> ComponentSet {
    let (mut set, mut i) = (ComponentSet::EMPTY, 0);
    while i < W::OFFSETS.len() {
        if matches!(W::OFFSETS[i].values, Values::Plain) {
            set = set.with(i);
        }
        i += 1;
    }
    set
}

/// Whether no column has values that need dropping.
const fn all_plain<W: World>() -> bool {
    let mut i = 0;
    while i < W::OFFSETS.len() {
        if matches!(W::OFFSETS[i].values, Values::Dropped(..)) {
            return false;
        }
        i += 1;
    }
    true
}
