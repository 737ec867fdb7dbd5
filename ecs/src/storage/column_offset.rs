//! The position of a column in its world, for code that does not know the component's type.
#![expect(unsafe_code, reason = "an offset stands for the column that the expansion of `world!` names")]

use core::mem::needs_drop;

use super::column::Column;
use super::kind::{ColumnKind, RuleSet};
use super::removals::LateReader;
use super::rule_state::{ChangeContext, DespawnEffects};
use super::table::Table;
use crate::base::component_set::ComponentSet;
use crate::base::disabling::Disables;
use crate::base::exclusion::Exclusion;
use crate::base::place::SystemNames;
use crate::base::reader_stats::RemovedStats;
use crate::entity::Entity;
use crate::entity::allocator::Entities;

/// The components of a world whose [`ColumnOffset`] fulfils a condition, in constants:
/// `columns_where!(W, |offset| offset.packed)`.
macro_rules! columns_where {
    ($world:ident, |$offset:ident| $is:expr) => {{
        let (mut set, mut i) = ($crate::base::component_set::ComponentSet::EMPTY, 0);
        while i < $world::OFFSETS.len() {
            let $offset = &$world::OFFSETS[i];
            if $is {
                set = set.with(i);
            }
            i += 1;
        }
        set
    }};
}
pub(crate) use columns_where;

/// The position of a column in its world, and the functions that drop its values.
#[derive(Clone, Copy, Debug)]
pub struct ColumnOffset {
    /// The offset in bytes from the start of the world. Without meaning for a component that
    /// `#[cfg]` has left out.
    pub(crate) bytes: usize,
    pub(crate) values: DropMode,
    /// Whether a rule of the component may refuse values.
    pub(crate) refuses: bool,
    /// The rules of the component, for descriptions of it.
    pub(crate) rules: RuleSet,
    /// Whether changes of the component are tracked.
    pub(crate) tracked: bool,
    /// Whether the column is packed.
    pub(crate) packed: bool,
    /// The components that the component excludes.
    pub(crate) exclusion: Exclusion,
    /// The queries that pass over the entities with the component.
    pub(crate) disables: Disables,
    /// The bits of a word in a snapshot. `None` if no query passes over the entities with the
    /// component.
    ///
    /// # Safety
    /// The address is that of a column of the component, which no one changes during the call.
    pub(crate) frozen_mask: Option<unsafe fn(*const Table, usize) -> u64>,
    /// Updates an index with the values that were changed in place before a tick. `None` if the
    /// component has no index.
    ///
    /// # Safety
    /// As for [`DropFunctions`].
    pub(crate) reindex_changed: Option<unsafe fn(*mut Table, u64)>,
    /// The mark of the sources of a relation with `gone = mark(..)`.
    pub(crate) mark: Option<Mark>,
    /// The rule for the targets of a relation with `target(..)`.
    pub(crate) targets: Option<TargetRule>,
}

/// The components that every target of a relation has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TargetRule {
    pub(crate) components: &'static ComponentSet,
    /// Applies the policy of the relation to the sources of a live target that has lost one of the
    /// components.
    ///
    /// # Safety
    /// As for [`DropFunctions`].
    pub(crate) lose: DespawnFunction,
}

/// The component that the sources of a relation get when their target is despawned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// The index of the component in the world.
    pub(crate) component: usize,
    /// Adds the component to a live entity that lacks it.
    ///
    /// # Safety
    /// The address is that of a world of the type to which the offset belongs, and nothing else
    /// borrows that world.
    pub(crate) give: unsafe fn(*mut (), Entity),
}

/// The way in which a column drops its values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DropMode {
    /// The component is compiled out: there is no column.
    None,
    /// The values need no drop, no log and no rule: clearing bits is enough.
    Plain,
    /// Values are dropped by functions, or moved to the log of removed values, or passed to the
    /// component's rule.
    Dropped(DropFunctions, Option<LogFunctions>, Option<DespawnFunction>),
}

/// The functions that drop values of a column. They know the component's type.
///
/// # Safety
/// For a call: the address is that of a column of the type of these functions, and nothing else
/// borrows the column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DropFunctions {
    /// Drops the value of an entity that has just been despawned, if it has one.
    pub(crate) one: unsafe fn(*mut Table, Entity),
    /// Drops all values.
    pub(crate) all: unsafe fn(*mut Table),
}

/// The functions of a column whose removed values are logged.
///
/// # Safety
/// As for [`DropFunctions`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct LogFunctions {
    /// Moves the values of all live entities to the log, which may become longer than its bound.
    pub(crate) all: unsafe fn(*mut Table, &Entities),
    /// Frees the values that all readers have read, and those beyond the bound.
    pub(crate) trim: unsafe fn(*mut Table) -> Option<LateReader>,
    /// Statistics of the removed values; `None` if no schedule reads them.
    pub(crate) stats: unsafe fn(*const Table, SystemNames) -> Option<RemovedStats>,
    /// Called when a flush begins and when it ends.
    pub(crate) set_flushing: unsafe fn(*mut Table, bool),
}

/// The function of a column whose component has a rule. Called for an entity that has just been
/// despawned, in place of [`DropFunctions::one`].
///
/// # Safety
/// As for [`DropFunctions`].
pub(crate) type DespawnFunction = unsafe fn(*mut Table, ChangeContext<'_>, &mut DespawnEffects);

impl ColumnOffset {
    /// The offset of a component that is compiled out.
    pub const NONE: Self = Self {
        bytes: 0,
        values: DropMode::None,
        refuses: false,
        rules: RuleSet::NONE,
        tracked: false,
        packed: false,
        exclusion: Exclusion::NONE,
        disables: Disables::Nothing,
        frozen_mask: None,
        reindex_changed: None,
        mark: None,
        targets: None,
    };

    /// Whether the component has a rule, and must be inserted one by one.
    pub(crate) const fn is_guarded(&self) -> bool {
        matches!(self.values, DropMode::Dropped(_, _, Some(_)))
    }

    /// Whether the removed values of the component are logged.
    pub(crate) const fn is_logged(&self) -> bool {
        matches!(self.values, DropMode::Dropped(_, Some(_), _))
    }

    /// The properties of a column of `T`, whose component is of kind `K`.
    pub(crate) const fn new<T: 'static, K: ColumnKind>(
        bytes: usize,
        exclusion: Exclusion,
        disables: Disables,
    ) -> Self {
        let logged = K::LOGGED;
        let values = if logged || K::GUARDED || needs_drop::<T>() {
            let one = if logged { discard_logged::<T> } else { discard::<T> };
            let drops = DropFunctions { one, all: clear::<T> };
            let logs = if logged {
                Some(LogFunctions {
                    all: log_all::<T>,
                    trim: trim::<T>,
                    stats: stats::<T>,
                    set_flushing: set_flushing::<T>,
                })
            } else {
                None
            };
            let on_despawn = if K::GUARDED { Some(despawned::<T> as DespawnFunction) } else { None };
            DropMode::Dropped(drops, logs, on_despawn)
        } else {
            DropMode::Plain
        };
        let reindex_changed =
            if K::INDEXED { Some(reindex_changed::<T> as unsafe fn(*mut Table, u64)) } else { None };
        Self {
            bytes,
            values,
            refuses: K::REFUSES,
            rules: K::RULES,
            tracked: K::TRACKED,
            packed: K::PACKED,
            exclusion,
            disables,
            frozen_mask: match disables {
                Disables::Nothing => None,
                _ => Some(frozen_mask::<T>),
            },
            reindex_changed,
            mark: None,
            targets: None,
        }
    }
}

/// The column that begins with a table.
///
/// # Safety
/// The address is that of a `Column<T>`, which the caller may change for as long as the reference
/// is used.
unsafe fn column<'c, T>(table: *mut Table) -> &'c mut Column<T> {
    // SAFETY: the contract of this function; a column begins with its table (invariant 4 of
    // `Column`).
    unsafe { &mut *table.cast() }
}

/// Functions for the address of a column of `T`: their contracts are those of the fields of
/// [`ColumnOffset`] for which they stand.
macro_rules! column_functions {
    ($($vis:vis $name:ident<T $(: $bound:lifetime)?>($column:ident $(, $param:ident: $ty:ty)*) $(-> $out:ty)? $body:block)*) => {$(
        $vis unsafe fn $name<T $(: $bound)?>(table: *mut Table $(, $param: $ty)*) $(-> $out)? {
            // SAFETY: the address is that of a column of `T`, by the contract of this function.
            let $column = unsafe { column::<T>(table) };
            $body
        }
    )*};
}

column_functions! {
    discard<T>(column, entity: Entity) { column.discard(entity.slot()) }
    discard_logged<T>(column, entity: Entity) { column.discard_logged(entity) }
    clear<T>(column) { column.clear() }
    log_all<T>(column, entities: &Entities) { column.log_all(entities) }
    trim<T>(column) -> Option<LateReader> { column.trim_removals() }
    set_flushing<T>(column, on: bool) { column.set_flushing(on) }
    reindex_changed<T: 'static>(column, tick: u64) { column.reindex_changed(tick) }
    pub(crate) lose_target<T: 'static>(column, context: ChangeContext<'_>, effects: &mut DespawnEffects) {
        column.lose_target(context, effects)
    }
    despawned<T: 'static>(column, context: ChangeContext<'_>, effects: &mut DespawnEffects) {
        column.discard_guarded(context, effects)
    }
}

/// # Safety
/// The address is that of a column of `T`, and nothing changes the column during the call.
unsafe fn stats<T>(column: *const Table, names: SystemNames) -> Option<RemovedStats> {
    // SAFETY: the address is that of a `Column<T>`, by the contract of this function; a column
    // begins with its table (invariant 4).
    let removals = unsafe { &*column.cast::<Column<T>>() }.removals()?;
    Some(RemovedStats::new(removals.most(), removals.log.lost, removals.log.stats(names)))
}

/// # Safety
/// See [`ColumnOffset::frozen_mask`].
unsafe fn frozen_mask<T>(column: *const Table, word: usize) -> u64 {
    // SAFETY: the address is that of a `Column<T>`, by the contract of this function; a column
    // begins with its table (invariant 4).
    unsafe { &*column.cast::<Column<T>>() }.frozen_mask(word)
}
