//! The part of a world that `world!` generates, and direct access to the world's fields.
//!
//! [`RawWorld`] is the trait that `world!` implements: names, offsets and addresses of fields. It
//! knows no method that users call: these are in [`World`](crate::World), which is implemented for
//! every [`RawWorld`] and builds on queries, commands and schedules. `world!` also implements
//! [`Has`], [`HasResource`] or [`HasEvent`] for each component, resource and event: the address of
//! its field. A [`WorldCell`] is a borrow of a world from which several fields can be reached at
//! the same time.
#![expect(unsafe_code, reason = "declares the traits by which the fields of a world are reached")]

use core::marker::PhantomData;

use crate::base::component_set::ComponentSet;
use crate::base::place::Place;
use crate::base::reader_stats::EventStats;
use crate::base::typeset::ConstIndex;
use crate::component::requires::{PartOf, RequiredInserter, WorldKind, WorldPart as _};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::event::{Bound, Events};
use crate::storage::column::Column;
use crate::storage::column_offset::{ColumnOffset, Mark, TargetRule, lose_target};
use crate::storage::kind::ColumnKind;

pub(crate) mod cell;
pub(crate) mod discard;
pub(crate) mod fields;
pub(crate) mod journal;
pub(crate) mod snapshot;
mod snapshot_read;
pub(crate) mod snapshot_world;
pub(crate) mod targets;

pub use cell::WorldCell;
pub(crate) use fields::{Refuse, WorldFields};
pub use snapshot::Snapshot;
pub use snapshot_world::SnapshotWorld;

/// The part of a world that `world!` generates: names, offsets and the addresses of fields. Its
/// methods for users are those of [`World`](crate::World), which is implemented for every
/// `RawWorld`.
///
/// # Safety
/// Each method that begins with `__` returns always the same field of the struct, and no two of
/// them return the same field; `__schedule_states` returns the field of type `ScheduleStates`.
/// `COMPONENT_NAMES`, `FIELD_NAMES`, `REQUIRES`, `CLOSURES` and `OFFSETS` have equal lengths. Every
/// index of [`Has`](crate::Has) is an index into them, and the offset at that index is the offset
/// of the column that `Has` returns. Every component and event is
/// [`ThreadSafe`](crate::component::ThreadSafe), and every resource that is not of the main thread.
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
    /// The names of the components' fields, in the order of
    /// [`COMPONENT_NAMES`](Self::COMPONENT_NAMES).
    const FIELD_NAMES: &'static [&'static str];
    /// The names of the resources, as they are spelled in the declaration.
    const RESOURCE_NAMES: &'static [&'static str];
    /// The names of the events, as they are spelled in the declaration.
    const EVENT_NAMES: &'static [&'static str];
    /// For each event, `true` if it is declared `external`: code outside of the systems sends or
    /// reads it.
    const EXTERNAL_EVENTS: &'static [bool] = &[];
    /// For each component, the components that it lists as required.
    const REQUIRES: &'static [ComponentSet];
    /// For each component, itself and all components that it requires.
    const CLOSURES: &'static [ComponentSet];
    /// For each component, the position of its column.
    const OFFSETS: &'static [ColumnOffset];
    /// Whether the world is saved.
    #[cfg(feature = "serde")]
    type Saving;
    /// The generation of the first entity in each slot.
    const GENERATION: u32;
    /// The former names of the struct: files with such a name are loaded.
    const WORLD_ALIASES: &'static [&'static str] = &[];
    /// The number of structural changes that the world's journal keeps; 0 if the world keeps no
    /// journal.
    const JOURNAL: usize = 0;
    /// The index of the observers among the schedules; `None` if the world declares no observers.
    const OBSERVERS: Option<usize> = None;
    /// The plans of the schedules.
    fn __schedules() -> ErasedPlans<Self>;
    /// The names of the schedule and of the system at this place.
    fn __system_names(place: Place) -> (&'static str, &'static str);

    /// The allocator.
    ///
    /// # Safety
    /// `this` points to a world that is not dropped.
    unsafe fn __entities(this: *mut Self) -> *mut Entities;
    /// The states of the schedules.
    ///
    /// # Safety
    /// `this` points to a world that is not dropped.
    unsafe fn __schedule_states(this: *mut Self) -> *mut ErasedStates;
    /// Calls `visitor` with the type of each component.
    fn __visit_components<V: ComponentVisitor<Self>>(visitor: &mut V);
    /// Drops the events that all readers have read, at the end of a run of a schedule.
    fn __trim_events(&mut self);
    /// Calls `each` with the statistics of each event.
    fn __event_stats(&self, each: &mut dyn FnMut(EventStats));

    /// The value of a component at a slot, to be printed; `None` if the entity has none, the world
    /// does not derive `Reflect`, or the component is hidden.
    #[cfg(feature = "reflect")]
    fn __printed(&self, _component: usize, _slot: u32) -> Option<alloc::boxed::Box<dyn core::fmt::Debug>> {
        None
    }

    /// The allocator, shared.
    #[inline(always)]
    fn __living(&self) -> &Entities {
        WorldCell::shared(self).entities()
    }
}

/// A trait of worlds and components, with the message that the world does not have the component.
macro_rules! of_component {
    ($($item:tt)*) => {
        #[diagnostic::on_unimplemented(
            message = "world `{Self}` has no component `{T}`",
            label = "`{T}` is not a component of `{Self}`",
            note = "list it in the `world!` of `{Self}`: `components {{ {T} }}`, or include the parts of a library that have it: `include library::parts;`; code that is generic over its world needs the bound `{Self}: Has<{T}>`, or `HasMut<{T}>` to change it; \
                    a system takes a resource as `Res<{T}>`, an event as `EventReader<{T}>`, an aspect or a bundle as its components, a relation with many targets as `Many<{T}>`, which `relations::<{T}>(entity)` reads outside of systems"
        )]
        $($item)*
    };
}
pub(crate) use of_component;

of_component! {
    /// A world that stores component `T`.
    ///
    /// `world!` implements this trait for every component that it lists. Code that is generic over the
    /// world uses it as a bound.
    ///
    /// # Safety
    /// No two `INDEX`es of a world are equal, and all are below `W::COMPONENTS.len()`. `__column_ptr`
    /// returns always the address of the same field of the world, which no other implementation of this
    /// trait for the world returns. `T` is [`ThreadSafe`](crate::component::ThreadSafe): queries lend
    /// values to several threads, and have no other bound than this trait.
    pub unsafe trait Has<T: 'static>: RawWorld {
        /// The index of the component in [`World::COMPONENTS`](crate::World::COMPONENTS).
        const INDEX: usize = Self::TypeIndex::INDEX;
        #[doc(hidden)]
        type TypeIndex: ConstIndex;
        #[doc(hidden)]
        type Kind: WorldKind<Self>;
        #[doc(hidden)]
        /// # Safety
        /// `this` points to a world that is not dropped.
        unsafe fn __column_ptr(this: *mut Self) -> *mut Column<T>;
    }
}

/// A world that has the resource `R`. `world!` implements it for every resource that it lists.
///
/// # Safety
/// No two `INDEX`es of a world are equal, and all are below `W::RESOURCES.len()`. `__resource_ptr`
/// returns always the address of the same field of the world, which no other implementation
/// returns. `R` is [`ThreadSafe`](crate::component::ThreadSafe), unless `MAIN_THREAD` is true; then
/// the world is neither `Send` nor `Sync` unless `R` is.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no resource `{R}`",
    label = "`{R}` is not a resource of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `resources {{ name: {R} }}`, with `#[derive(Resource)]` on the type, or include the parts of a library that have it: `include library::parts;`; \
            if `{R}` is a component, ask for it with `&{R}` or in a `Query`; a state is listed with its first value: `State<S> = State::new(S::First)`"
)]
pub unsafe trait HasResource<R: 'static>: RawWorld {
    /// The index of the resource in [`World::RESOURCES`](crate::World::RESOURCES).
    const INDEX: usize;
    /// Whether the resource has `#[resource(shared)]`.
    #[doc(hidden)]
    const SHARED: bool = false;
    /// Whether the resource has `#[resource(tracked)]`.
    #[doc(hidden)]
    const TRACKED: bool = false;
    /// Whether the resource has `#[resource(main_thread)]`: only the thread that has the world
    /// accesses it.
    #[doc(hidden)]
    const MAIN_THREAD: bool = false;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world that is not dropped.
    unsafe fn __resource_ptr(this: *mut Self) -> *mut R;
}

/// A function that is generic over a component of world `W`, to be called for several components.
#[doc(hidden)]
pub trait ComponentVisitor<W: RawWorld> {
    fn visit<T: 'static>(&mut self)
    where
        W: Has<T>;
}

/// A world in which event `E` can be sent. Implemented by `world!`.
///
/// # Safety
/// `INDEX` is the position of `E` in the world's list of events, and `__events_ptr` returns the
/// address of a field of the world that belongs to `E` only. `E` is
/// [`ThreadSafe`](crate::component::ThreadSafe).
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no event `{E}`",
    label = "`{E}` is not an event of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `events {{ {E} }}`, with `#[derive(Event)]` on the type, or include the parts of a library that have it: `include library::parts;`"
)]
pub unsafe trait HasEvent<E: 'static>: RawWorld {
    /// The position of the event in the world's list.
    const INDEX: usize;
    /// The bound of the event's queue, as the world declares it.
    #[doc(hidden)]
    const BOUND: Bound = Bound::DEFAULT;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world.
    unsafe fn __events_ptr(this: *mut Self) -> *mut Events<E>;
}

/// The column of a new world for the component `T`.
pub const fn new_column<W: Has<T>, T: 'static>() -> Column<T> {
    Column::with_storage(<W::Kind as ColumnKind>::PACKED)
}

/// Computes the offset of a column in its world.
///
/// # Safety
/// `column` points to a field of the world that `world` points to. The memory may be uninitialised.
pub const unsafe fn column_offset<W: Has<T>, T: 'static>(
    world: *const W,
    column: *const Column<T>,
) -> ColumnOffset {
    let (mut mark, mut targets) = (None, None);
    if let Some(named) = PartOf::<W, T>::NAMED {
        if let Some(component) = named.mark {
            mark = Some(Mark { component, give: self::mark::<W, T> });
        }
        if !named.targets.is_empty() {
            targets = Some(TargetRule { components: &named.targets, lose: lose_target::<T> });
        }
    }
    // SAFETY: by the caller's contract both point into one world, and the address of a field is not
    // below that of its struct.
    let bytes = unsafe { column.byte_offset_from_unsigned(world) };
    let offset = ColumnOffset::new::<T, W::Kind>(bytes, PartOf::<W, T>::EXCLUSION, PartOf::<W, T>::DISABLES);
    ColumnOffset { mark, targets, ..offset }
}

/// Adds the component that relation `T` marks with: the function of [`Mark::give`].
///
/// # Safety
/// The contract of [`Mark::give`].
unsafe fn mark<W: Has<T>, T: 'static>(world: *mut (), entity: Entity) {
    // SAFETY: by the contract of `Mark::give` this is the address of a `W` that is borrowed
    // mutably.
    let world = unsafe { &mut *world.cast::<W>() };
    PartOf::<W, T>::mark(&mut RequiredInserter::new(world, entity));
}

/// A world that keeps a journal of structural changes. `world!` implements it for a world with
/// `#[world(journal = ..)]`: see
/// [`ChangesSince::journal_since`](crate::query::ChangesSince::journal_since).
#[diagnostic::on_unimplemented(
    message = "world `{Self}` keeps no journal of structural changes",
    label = "needs a journal",
    note = "write `#[world(journal = 65_536)]` before the `struct` in the `world!` of `{Self}`; the number is that of the changes that are kept"
)]
pub trait HasJournal: RawWorld {}

/// The plans of a world's schedules, of a type that only `schedule` knows: it makes this value of
/// them, and gets them back.
#[derive(Debug)]
pub struct ErasedPlans<W> {
    /// The address of the first one.
    pub(crate) first: *const (),
    pub(crate) len: usize,
    pub(crate) world: PhantomData<fn(W) -> W>,
}

/// The states of a world's schedules, of a type that only `schedule` knows. There are no values of
/// this type, only addresses.
#[derive(Debug)]
pub enum ErasedStates {}

impl Entities {
    /// The allocator of a new world.
    #[must_use]
    pub fn new<W: RawWorld>() -> Self {
        let mut entities = Self::with(ComponentSet::words_for(W::COMPONENT_NAMES.len()), W::GENERATION);
        entities.start_journal(W::JOURNAL);
        entities.start_resource_ticks(W::RESOURCE_NAMES.len());
        entities.set_of_targets(targets::TargetRules::<W>::COMPONENTS);
        entities
    }
}
