//! The entities that a query passes over because they have a component with
//! `#[component(disables)]`.
//!
//! The components of the world decide it, not the type of the query, so that the list of columns is
//! a constant for each query and world, and a query has the address of the list. In a world without
//! such a component the list is empty, and the loops read nothing more.
#![expect(unsafe_code, reason = "the bits of columns are read by address")]

use core::marker::PhantomData;
use core::ptr;

use crate::base::access::Access;
use crate::base::component_set::ComponentSet;
use crate::base::disabling::Disables;
use crate::base::message::message;
use crate::raw_world::{RawWorld, WorldCell};
use crate::storage::column_offset::{ColumnOffset, columns_where};
use crate::storage::table::Table;

/// The columns of the components for which one query passes over entities.
pub(crate) type PassedColumns = &'static [ColumnOffset];

/// The most components with `disables` in one world.
const MOST: usize = 16;

/// The columns of the components for which a query of a world passes over entities, with the
/// address of the world.
///
/// # Invariants
/// `world` is the address of a world to which the offsets belong. While the columns are read, the
/// world is borrowed, and no one adds or removes the components: the only parameter of a system
/// that could, [`Storage`](crate::Storage), refuses them.
#[derive(Clone, Copy)]
pub(crate) struct PassedOver {
    world: *const u8,
    columns: PassedColumns,
}

impl PassedOver {
    /// For queries that pass over no entity.
    pub(crate) const NONE: Self = Self { world: ptr::null(), columns: &[] };

    /// # Safety
    /// The columns are of `W`. While a word is asked for, the world is borrowed, and no one adds or
    /// removes these components.
    #[inline(always)]
    pub(crate) unsafe fn new<W: RawWorld>(world: WorldCell<'_, W>, columns: PassedColumns) -> Self {
        Self { world: world.address(), columns }
    }

    /// Whether no entity is passed over.
    #[inline(always)]
    pub(crate) const fn is_none(&self) -> bool {
        self.columns.is_empty()
    }

    /// The slots of a word that are passed over.
    ///
    /// # Safety
    /// The world is still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn mask(&self, word: usize) -> u64 {
        let (mut mask, mut i) = (0, 0);
        while i < self.columns.len() {
            // SAFETY: by the invariants the offset is that of a column of the world, which begins
            // with its table, and no one changes it.
            mask |= unsafe { &*self.world.byte_add(self.columns[i].bytes).cast::<Table>() }.word(word);
            i += 1;
        }
        mask
    }
}

/// The components of a world that have `#[component(disables)]`.
pub(crate) struct Disabling<W>(PhantomData<fn() -> W>);

impl<W: RawWorld> Disabling<W> {
    /// The components.
    pub(crate) const ALL: ComponentSet =
        columns_where!(W, |offset| !matches!(offset.disables, Disables::Nothing));
    /// Whether there are none.
    pub(crate) const NONE: bool = Self::ALL.is_empty();
}

/// A list of columns, and their number.
pub(crate) type PassedList = ([ColumnOffset; MOST], usize);

pub(crate) const EMPTY: PassedList = ([ColumnOffset::NONE; MOST], 0);

/// The components that a query names, and those that it requires.
#[derive(Clone, Copy)]
pub(crate) struct NamedComponents {
    named: ComponentSet,
    required: ComponentSet,
}

impl NamedComponents {
    pub(crate) const fn of(access: &Access) -> Self {
        Self { named: access.presence.or(access.read).or(access.write), required: access.with }
    }

    /// The components of the query with a filter that names `other`.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self { named: self.named.or(other.named), required: self.required.or(other.required) }
    }

    /// The components of a world for which the query passes over entities: those that it does not
    /// name, if they disable entities, or a component that the query requires.
    const fn passed_over<W: RawWorld>(&self) -> ComponentSet {
        let (mut passed_over, mut rest) = (ComponentSet::EMPTY, Disabling::<W>::ALL.minus(self.named));
        while let Some(i) = rest.first() {
            let passes = match W::OFFSETS[i].disables {
                Disables::Nothing => false,
                Disables::Entity => true,
                Disables::Components(of) => of.meets(&self.required),
            };
            if passes {
                passed_over = passed_over.with(i);
            }
            rest = rest.minus(ComponentSet::EMPTY.with(i));
        }
        passed_over
    }

    /// The slots of a word that the query passes over in a snapshot.
    pub(crate) fn frozen_mask<W: RawWorld>(&self, world: &W, word: usize) -> u64 {
        if Disabling::<W>::NONE {
            return 0;
        }
        self.passed_over::<W>().indices().fold(0, |mask, index| {
            let column = W::OFFSETS[index];
            let Some(frozen_mask) = column.frozen_mask else { return mask };
            // SAFETY: the offset is that of a column of `W`, which is borrowed shared, and the
            // function is that of the column.
            mask | unsafe { frozen_mask(WorldCell::shared(world).table(column), word) }
        })
    }
}

/// The columns of the components for which a query with this access passes over entities.
#[track_caller]
pub(crate) const fn list<W: RawWorld>(access: &Access) -> PassedList {
    let (mut list, mut rest) = (EMPTY, NamedComponents::of(access).passed_over::<W>());
    while let Some(i) = rest.first() {
        if list.1 == MOST {
            message!(
                "world `" text(W::WORLD_NAME) "`: more than 16 components have `disables`; join some of them"
            )
            .panic();
        }
        list.0[list.1] = W::OFFSETS[i];
        list.1 += 1;
        rest = rest.minus(ComponentSet::EMPTY.with(i));
    }
    list
}

/// A list of columns as a type, so that the loops of a query that passes over no entity do not even
/// test it.
pub trait PassedColumnsList {
    /// The columns.
    const COLUMNS: PassedColumns;
}

/// The columns for which a query of world `W` passes over entities.
pub(crate) struct PassedOverByQuery<W, D, F>(PhantomData<(W, D, F)>);

impl<W: RawWorld, D: super::QueryData<W>, F: super::QueryFilter<W>> PassedOverByQuery<W, D, F> {
    const LIST: PassedList = if Disabling::<W>::NONE { EMPTY } else { list::<W>(&D::ACCESS.and(F::ACCESS)) };
}

impl<W: RawWorld, D: super::QueryData<W>, F: super::QueryFilter<W>> PassedColumnsList
    for PassedOverByQuery<W, D, F>
{
    const COLUMNS: PassedColumns = Self::LIST.0.split_at(Self::LIST.1).0;
}
