//! The part of a world that `world!` generates, and direct access to the world's fields.
//!
//! [`RawWorld`] is the trait that `world!` implements: names, offsets and addresses of fields. It knows no method that users call:
//! these are in [`World`](crate::World), which is implemented for every [`RawWorld`] and builds on queries, commands and schedules.
//! A [`WorldCell`] is a borrow of a world from which several fields can be reached at the same time.
#![expect(unsafe_code, reason = "declares the trait by which the fields of a world are reached")]

use core::marker::PhantomData;

use crate::base::component_set::ComponentSet;
use crate::base::place::Place;
use crate::base::reader_stats::EventStats;
use crate::entity::allocator::Entities;
use crate::storage::column_offset::ColumnOffset;

pub(crate) mod cell;
pub(crate) mod discard;
pub(crate) mod fields;
pub(crate) mod has;
pub(crate) mod journal;
pub(crate) mod snapshot;
mod snapshot_read;
pub(crate) mod snapshot_world;

pub use cell::WorldCell;
pub(crate) use fields::{Refuse, WorldFields};
pub use snapshot::Snapshot;
pub use snapshot_world::SnapshotWorld;

/// The part of a world that `world!` generates: names, offsets and the addresses of fields. Its methods for users are those of
/// [`World`](crate::World), which is implemented for every `RawWorld`.
///
/// # Safety
/// Each method that begins with `__` returns always the same field of the struct, and no two of them return the same field;
/// `__schedule_states` returns the field of type `ScheduleStates`. `COMPONENT_NAMES`, `FIELD_NAMES`, `REQUIRES`, `CLOSURES` and
/// `OFFSETS` have equal lengths. Every index of [`Has`](crate::Has) is an index into them, and the offset at that index is the offset
/// of the column that `Has` returns. Every component, resource and event is [`ThreadSafe`](crate::component::ThreadSafe).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a world",
    label = "not a world",
    note = "a world is what `world! {{ struct Name {{ .. }} }}` makes; a system names one, or a type parameter of its own: `#[system(Game)]`, `#[system(W)] fn name<W: World>(..)`"
)]
pub unsafe trait RawWorld: Sized + 'static {
    /// The name of the struct.
    const WORLD_NAME: &'static str;
    /// The names of the components, as they are spelled in the declaration.
    const COMPONENT_NAMES: &'static [&'static str];
    /// The names of the components' fields, in the order of [`COMPONENT_NAMES`](Self::COMPONENT_NAMES).
    const FIELD_NAMES: &'static [&'static str];
    /// The names of the resources, as they are spelled in the declaration.
    const RESOURCE_NAMES: &'static [&'static str];
    /// The names of the events, as they are spelled in the declaration.
    const EVENT_NAMES: &'static [&'static str];
    /// For each event, `true` if it is declared `external`: code outside of the systems sends or reads it.
    #[doc(hidden)]
    const EXTERNAL_EVENTS: &'static [bool] = &[];
    #[doc(hidden)]
    const REQUIRES: &'static [ComponentSet];
    #[doc(hidden)]
    const CLOSURES: &'static [ComponentSet];
    #[doc(hidden)]
    const OFFSETS: &'static [ColumnOffset];
    #[doc(hidden)]
    #[cfg(feature = "serde")]
    type Saving;
    #[doc(hidden)]
    const GENERATION: u32;
    /// The former names of the struct: files with such a name are loaded.
    const WORLD_ALIASES: &'static [&'static str] = &[];
    /// The number of structural changes that the world's journal keeps; 0 if the world keeps no journal.
    const JOURNAL: usize = 0;
    #[doc(hidden)]
    fn __schedules() -> ErasedPlans<Self>;
    /// The names of the schedule and of the system at this place.
    #[doc(hidden)]
    fn __system_names(place: Place) -> (&'static str, &'static str);

    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world that is not dropped.
    unsafe fn __entities(this: *mut Self) -> *mut Entities;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world that is not dropped.
    unsafe fn __schedule_states(this: *mut Self) -> *mut ErasedStates;
    #[doc(hidden)]
    fn __trim_events(&mut self);
    #[doc(hidden)]
    fn __event_stats(&self, each: &mut dyn FnMut(EventStats));

    /// The value of a component at a slot, to be printed; `None` if the entity has none, the world does not derive `Reflect`, or the
    /// component is hidden.
    #[cfg(feature = "reflect")]
    #[doc(hidden)]
    fn __printed(&self, _component: usize, _slot: u32) -> Option<alloc::boxed::Box<dyn core::fmt::Debug>> {
        None
    }

    #[doc(hidden)]
    #[inline(always)]
    fn __living(&self) -> &Entities {
        WorldCell::shared(self).entities()
    }
}

/// A world that keeps a journal of structural changes. `world!` implements it for a world with `#[world(journal = ..)]`: see
/// [`ChangesSince::journal_since`](crate::query::ChangesSince::journal_since).
#[diagnostic::on_unimplemented(
    message = "world `{Self}` keeps no journal of structural changes",
    label = "needs a journal",
    note = "write `#[world(journal = 65_536)]` before the `struct` in the `world!` of `{Self}`; the number is that of the changes that are kept"
)]
pub trait HasJournal: RawWorld {}

/// The plans of a world's schedules, of a type that only `schedule` knows: it makes this value of them, and gets them back.
#[derive(Debug)]
pub struct ErasedPlans<W> {
    /// The address of the first one.
    pub(crate) first: *const (),
    pub(crate) len: usize,
    pub(crate) world: PhantomData<fn(W) -> W>,
}

/// The states of a world's schedules, of a type that only `schedule` knows. There are no values of this type, only addresses.
#[derive(Debug)]
pub enum ErasedStates {}

impl Entities {
    /// The allocator of a new world.
    #[must_use]
    pub fn new<W: RawWorld>() -> Self {
        let mut entities = Self::with(ComponentSet::words_for(W::COMPONENT_NAMES.len()), W::GENERATION);
        entities.start_journal(W::JOURNAL);
        entities.start_resource_ticks(W::RESOURCE_NAMES.len());
        entities
    }
}
