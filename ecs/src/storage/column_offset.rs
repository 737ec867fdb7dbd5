//! Where in a world its columns are, for those who do not know their types.
#![expect(unsafe_code, reason = "an offset stands for the column that the expansion of `world!` names")]

use core::mem::needs_drop;

use super::column::Column;
use super::kind::ColumnKind;
use super::removals::LateReader;
use super::rule_state::{ChangeContext, DespawnEffects};
use super::table::Table;
use crate::base::exclusion::Exclusion;
use crate::base::place::SystemNames;
use crate::base::reader_stats::{ReaderStats, RemovedStats};
use crate::entity::Entity;
use crate::entity::allocator::Entities;

/// Where in a world a column is, and how its values are dropped.
#[derive(Clone, Copy, Debug)]
pub struct ColumnOffset {
    /// In bytes from the start of the world; of no meaning for a component that `#[cfg]` has left out.
    pub(crate) bytes: usize,
    pub(crate) values: Values,
    /// Whether a rule of the component may refuse values.
    pub(crate) refuses: bool,
    /// The components that it does not go together with.
    pub(crate) exclusion: Exclusion,
    /// Lets an index look at what was changed in place before a tick.
    ///
    /// # Safety
    /// As for [`Drops`].
    pub(crate) reindex_changed: Option<unsafe fn(*mut Table, u64)>,
    /// How the sources of a relation with `gone = mark(..)` get their mark.
    pub(crate) mark: Option<Mark>,
}

/// The component that the sources of a relation get when their target dies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// The index of the component in the world.
    pub(crate) component: usize,
    /// Adds the component to a live entity that lacks it.
    ///
    /// # Safety
    /// The address is that of a world of the type to which the offset belongs, and nothing else borrows that world.
    pub(crate) give: unsafe fn(*mut (), Entity),
}

/// What there is to do when values go.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Values {
    /// There is no column.
    None,
    /// Nothing: clearing bits is enough.
    Plain,
    /// They are dropped, unless they are kept for those who react to it; a rule may want to know.
    Dropped(Drops, Option<Logs>, Option<Dies>),
}

/// Drops values of a column whose type these functions know.
///
/// # Safety
/// To call them: the address is that of a column of that type, and nobody else borrows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drops {
    /// The value of an entity that has just died, if there is one.
    pub(crate) one: unsafe fn(*mut Table, Entity),
    /// All values.
    pub(crate) all: unsafe fn(*mut Table),
}

/// What else there is to do about a column whose removed values are kept.
///
/// # Safety
/// As for [`Drops`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Logs {
    /// Moves the values of all that live to the log, which may become longer than it should.
    pub(crate) all: unsafe fn(*mut Table, &Entities),
    /// Frees what all have read, and what is too much.
    pub(crate) trim: unsafe fn(*mut Table) -> Option<LateReader>,
    /// Statistics of the removed values; `None` if no schedule reads them.
    pub(crate) stats: unsafe fn(*const Table, SystemNames) -> Option<RemovedStats>,
    /// Called when a flush begins and when it ends.
    pub(crate) set_flushing: unsafe fn(*mut Table, bool),
}

/// What else there is to do about a column whose component has a rule, when an entity has just died: in place of
/// [`Drops::one`].
///
/// # Safety
/// As for [`Drops`].
pub(crate) type Dies = unsafe fn(*mut Table, ChangeContext<'_>, &mut DespawnEffects);

impl ColumnOffset {
    /// A component that is compiled out.
    pub const NONE: Self = Self {
        bytes: 0,
        values: Values::None,
        refuses: false,
        exclusion: Exclusion::NONE,
        reindex_changed: None,
        mark: None,
    };

    /// The properties of a column of `T`, whose component is of kind `K`.
    pub(crate) const fn new<T: 'static, K: ColumnKind>(
        bytes: usize,
        exclusion: Exclusion,
        mark: Option<Mark>,
    ) -> Self {
        let logged = K::LOGGED;
        let values = if logged || K::GUARDED || needs_drop::<T>() {
            let one = if logged { discard_logged::<T> } else { discard::<T> };
            let drops = Drops { one, all: clear::<T> };
            let logs = if logged {
                Some(Logs {
                    all: log_all::<T>,
                    trim: trim::<T>,
                    stats: stats::<T>,
                    set_flushing: set_flushing::<T>,
                })
            } else {
                None
            };
            let dies = if K::GUARDED { Some(dies::<T> as Dies) } else { None };
            Values::Dropped(drops, logs, dies)
        } else {
            Values::Plain
        };
        let reindex_changed =
            if K::INDEXED { Some(reindex_changed::<T> as unsafe fn(*mut Table, u64)) } else { None };
        Self { bytes, values, refuses: K::REFUSES, exclusion, reindex_changed, mark }
    }
}

/// # Safety
/// See [`Drops`].
unsafe fn discard<T>(column: *mut Table, entity: Entity) {
    // SAFETY: the caller's promise; a column begins with its table.
    unsafe { &mut *column.cast::<Column<T>>() }.discard(entity.slot());
}

/// # Safety
/// See [`Drops`].
unsafe fn discard_logged<T>(column: *mut Table, entity: Entity) {
    // SAFETY: the caller's promise; a column begins with its table.
    unsafe { &mut *column.cast::<Column<T>>() }.discard_logged(entity);
}

/// # Safety
/// See [`Drops`].
unsafe fn clear<T>(column: *mut Table) {
    // SAFETY: the caller's promise; a column begins with its table.
    unsafe { &mut *column.cast::<Column<T>>() }.clear();
}

/// # Safety
/// See [`Logs`].
unsafe fn log_all<T>(column: *mut Table, entities: &Entities) {
    // SAFETY: the caller's promise; a column begins with its table.
    unsafe { &mut *column.cast::<Column<T>>() }.log_all(entities);
}

/// # Safety
/// See [`Logs`].
unsafe fn trim<T>(column: *mut Table) -> Option<LateReader> {
    // SAFETY: the caller's promise; a column begins with its table.
    unsafe { &mut *column.cast::<Column<T>>() }.trim_removals()
}

/// # Safety
/// The address is that of a column of `T`, which is not changed during the call.
unsafe fn stats<T>(column: *const Table, names: SystemNames) -> Option<RemovedStats> {
    // SAFETY: the caller's promise; a column begins with its table.
    let removals = unsafe { &*column.cast::<Column<T>>() }.removals()?;
    let readers = removals.readers().map(|(number, place, unread, missed)| {
        let ((schedule, system), read) = (names(place), removals.end() - unread as u64);
        ReaderStats { schedule, system, unread, missed, read, number }
    });
    Some(RemovedStats::new(removals.most(), removals.lost(), readers.collect()))
}

/// # Safety
/// See [`Logs`].
unsafe fn set_flushing<T>(column: *mut Table, on: bool) {
    // SAFETY: the caller's promise; a column begins with its table.
    unsafe { &mut *column.cast::<Column<T>>() }.set_flushing(on);
}

/// # Safety
/// See [`ColumnOffset::look`].
unsafe fn reindex_changed<T: 'static>(column: *mut Table, tick: u64) {
    // SAFETY: the caller's promise; a column begins with its table.
    unsafe { &mut *column.cast::<Column<T>>() }.reindex_changed(tick);
}

/// # Safety
/// See [`Dies`].
unsafe fn dies<T: 'static>(column: *mut Table, context: ChangeContext<'_>, effects: &mut DespawnEffects) {
    // SAFETY: the caller's promise; a column begins with its table.
    unsafe { &mut *column.cast::<Column<T>>() }.discard_guarded(context, effects);
}
