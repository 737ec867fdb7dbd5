//! [`SystemParam`], and its implementations: each states what it accesses, beside the code that
//! borrows it. The types of the parameters are in files of their own. The parameters of relations
//! are implemented above.
#![expect(unsafe_code, reason = "parameters are made from a world whose accesses were checked")]

use alloc::vec::Vec;

use super::SystemPhase;
use super::accumulator::{Accumulate, Accumulator};
use super::hook_state::HookState;
use super::local::{Local, LocalState, LocalValue};
use super::lookup::Lookup;
use super::removed::{ReaderState, Removed};
use super::res::{Res, ResMut};
use super::saved::LocalOf;
use super::state::StateParts;
use super::storage::Storage;
use crate::base::access::Access;
use crate::base::bits256::Bits256;
use crate::base::component_set::ComponentSet;
use crate::base::disabling::Disables;
use crate::base::tick::{Tick, Ticks};
use crate::change::ResourceChange;
use crate::command::par::ParCommands;
use crate::command::{CommandState, Commands, SameWorld};
use crate::component::hook::Hooked;
use crate::component::requires::{PartOf, WorldPart as _};
use crate::component::{Has, HasRemoved, Indexed};
use crate::entity::reserved_slots::ReservedSlots;
use crate::event::{EventMutator, EventReader, EventWriter, HasEvent};
use crate::query::passed_over::{PassedColumnsList, PassedOver};
use crate::query::{Data, Filter, Query, QueryData, QueryFilter};
use crate::raw_world::cell::PresenceCell;
use crate::raw_world::targets::TargetRules;
use crate::raw_world::{RawWorld, WorldCell};
use crate::resource::HasResource;
use crate::storage::kind::ColumnKind;
use crate::storage::readers::{LogReading, ReaderCursor};
use crate::view::{View, ViewMut};

/// A type that a system can take as a parameter.
///
/// | parameter | gives |
/// |---|---|
/// | [`Query<D, F>`](Query) | access to the components of entities |
/// | [`Res<T>`](Res), [`ResMut<T>`](ResMut) | a resource, shared or mutable |
/// | [`EventReader<E>`](EventReader), [`EventWriter<E>`](EventWriter), [`EventMutator<E>`](EventMutator) | reading, sending and changing events |
/// | [`Commands<W>`](crate::Commands) | changes of entities at the end of the stage |
/// | [`ParCommands<W>`](crate::ParCommands) | the same, also in a system that is marked `par` |
/// | [`Accumulator<R>`](crate::Accumulator) | adding to a resource, also in a system that is marked `par` |
/// | [`Local<T>`](crate::Local) | a value of the system's own |
/// | [`Storage<T>`](super::Storage) | adding and removing one component at once |
/// | [`Lookup<T>`](super::Lookup) | entities by the value of an indexed component |
/// | [`Entered<F>`](super::Entered), [`Exited<F>`](super::Exited) | entities that began or ceased to pass a filter |
/// | [`Removed<T>`](super::Removed) | the removed values of a component |
/// | [`Single<D, F>`](super::Single), [`Option<Single>`](super::Single) | the only entity that matches |
/// | [`Populated<D, F>`](super::Populated) | a query that matches an entity |
/// | [`ParamSet<(Query, ..)>`](super::ParamSet) | queries that clash, one at a time |
/// | a tuple, a struct with [`#[derive(SystemParam)]`](macro@crate::SystemParam) | several parameters |
/// | [`Tick`](crate::system::Tick) | the tick of this run, for [`Query::since`] |
/// | `&mut W` | the whole world |
///
/// A per-entity system also takes query data ([`Data`]) and filters ([`Filter`]) as parameters.
///
/// A struct of parameters is a parameter by `#[derive(SystemParam)]`.
///
/// # Safety
/// An item gives access only to the parts of the world that `ACCESS` declares.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system parameter of world `{W}`",
    label = "not a system parameter",
    note = "if `{Self}` is a component, borrow it: `&{Self}` or `&mut {Self}`; a resource is taken as `Res<{Self}>` or `ResMut<{Self}>`, an event as `EventReader<{Self}>` or `EventWriter<{Self}>`, and a `#[derive(Query)]` struct as `Each<{Self}>`",
    note = "a value that the system keeps from run to run is `Local<{Self}>`; a type of another crate, such as `Vec<T>`, is the field of a component or of a resource of your own",
    note = "a system takes `Query<..>`, `Res<T>`, `ResMut<T>`, `EventReader<E>`, `EventWriter<E>`, `Local<T>`, `In<T>`, `Storage<T>`, `Lookup<T>`, `Entered<F>`, `Exited<F>`, `Removed<T>`, `Commands<{W}>`, `Single<..>`, `Populated<..>`, `ParamSet<(Query<..>, ..)>`, a struct with `#[derive(SystemParam)]` or `&mut {W}`; per entity `&T`, `&mut T`, `Ref<T>`, `Mut<T>`, `Option` of those, `Entity`, `Is<T>`, `Each<Q>`, and the filters `With<T>`, `Without<T>`, `Changed<T>`, `Added<T>`, `And`, `Or`, `Not`; these are known by their names: write an alias of one out"
)]
pub unsafe trait SystemParam<W: RawWorld> {
    /// The parts of the world that the parameter reads and writes.
    const ACCESS: Access;
    /// The state that is kept between the runs of the system, at each of its places in a schedule.
    type State: Clone + Send + Sync + StateParts + 'static;
    /// The value that the system's function receives.
    type Item<'w>;
    /// The state before the first run.
    fn init(world: &mut W) -> Self::State;
    /// Makes the value for one run of the system.
    ///
    /// # Safety
    /// During `'w` no one else accesses the world in a way that clashes with `ACCESS`, and the
    /// parameters that this one is made of do not clash with each other.
    unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut Self::State) -> Self::Item<'w>;
    /// Reborrows the value for one call of a per-entity system's function.
    fn lend<'a>(item: &'a mut Self::Item<'_>) -> Self::Item<'a>;
    /// Called in each [`SystemPhase`] other than the run itself.
    ///
    /// # Safety
    /// No item of the parameter exists, and no one else accesses the world in a way that clashes
    /// with `ACCESS`. In phases other than [`SystemPhase::Done`] and [`SystemPhase::Skipped`], no
    /// one else accesses the world.
    unsafe fn finish(_world: WorldCell<'_, W>, _state: &mut Self::State, _phase: &mut SystemPhase<'_, W>) {}
    /// Whether the parameter has something that the system has not seen, such as an unread event.
    ///
    /// # Safety
    /// No one else accesses the world.
    unsafe fn has_news(_world: WorldCell<'_, W>, _state: &mut Self::State) -> bool {
        false
    }
    /// Whether [`is_ready`](Self::is_ready) can be false.
    const MAY_SKIP: bool = false;
    /// Whether [`get`](Self::get) can make a value. If not, the system is skipped: it does not run.
    ///
    /// # Safety
    /// No one accesses the world in a way that clashes with `ACCESS`.
    unsafe fn is_ready(_world: WorldCell<'_, W>, _state: &mut Self::State) -> bool {
        true
    }
}

// SAFETY: a query gives access to what its data and its filter declare, and `ACCESS` is the union
// of both.
unsafe impl<W: RawWorld, D: QueryData<W>, F: QueryFilter<W>> SystemParam<W> for Query<'_, D, F> {
    const ACCESS: Access = D::ACCESS.and(F::ACCESS);
    type State = ();
    type Item<'w> = Query<'w, D, F>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> Query<'w, D, F> {
        // SAFETY: the caller promises that no clashing access happens during `'w`.
        unsafe { Query::of(world) }
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Query<'_, D, F>) -> Query<'a, D, F> {
        item.reborrow()
    }
    unsafe fn has_news(world: WorldCell<'_, W>, (): &mut ()) -> bool {
        // `Changed` and `Added` are the filters that read ticks
        let filters_ticks = const { !F::ACCESS.stamps.is_empty() };
        // SAFETY: the caller promises that no one else accesses the world; the query ends with this
        // statement.
        filters_ticks && unsafe { !Query::<D, F>::of(world).is_empty() }
    }
}

/// System parameter: the tick of this run of the system, for [`Query::since`](crate::Query::since)
/// in a later one.
// SAFETY: the item is a number, and gives access to nothing.
unsafe impl<W: RawWorld> SystemParam<W> for Tick {
    const ACCESS: Access = Access::NONE.timed();
    type State = ();
    type Item<'w> = Self;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get(world: WorldCell<'_, W>, (): &mut ()) -> Self {
        Self(world.this_run())
    }
    #[inline(always)]
    fn lend(item: &mut Self) -> Self {
        *item
    }
}

// SAFETY: `ACCESS` declares the read of the resource (of a shared resource, a write).
unsafe impl<R: 'static, W: HasResource<R>> SystemParam<W> for Res<'_, R> {
    const ACCESS: Access = {
        let (index, all) = (Bits256::of(W::INDEX), resource_access::<W, R>());
        if W::SHARED {
            // a shared resource has interior mutability: as a write, systems run in the order in
            // which they are written
            Access { resources_write: index, ..all }
        } else {
            Access { resources_read: index, ..all }
        }
    };
    type State = ();
    type Item<'w> = Res<'w, R>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> Res<'w, R> {
        // SAFETY: `ACCESS` declares the read, so the caller promises that no one writes the
        // resource during `'w`.
        Res { value: unsafe { &*world.resource_ptr::<R>() }, change: change_of::<W, R>(world) }
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Res<'_, R>) -> Res<'a, R> {
        *item
    }
}

/// The access of a parameter for a resource, without the resource itself.
const fn resource_access<W: HasResource<R>, R: 'static>() -> Access {
    Access { main_thread: W::MAIN_THREAD, timed: W::TRACKED, ..Access::ENTITIES }
}

/// The recorded change of a tracked resource; `None` for other resources.
#[inline(always)]
fn change_of<W: HasResource<R>, R: 'static>(world: WorldCell<'_, W>) -> Option<ResourceChange<'_>> {
    if const { !W::TRACKED } {
        return None;
    }
    Some(ResourceChange { changed: world.entities().resource_tick(W::INDEX)?, ticks: world.ticks() })
}

// SAFETY: `ACCESS` declares the write of the resource.
unsafe impl<R: 'static, W: HasResource<R>> SystemParam<W> for ResMut<'_, R> {
    const ACCESS: Access = Access { resources_write: Bits256::of(W::INDEX), ..resource_access::<W, R>() };
    type State = ();
    type Item<'w> = ResMut<'w, R>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> ResMut<'w, R> {
        // SAFETY: `ACCESS` declares the write, so the caller promises that no one else accesses the
        // resource during `'w`.
        ResMut { value: unsafe { &mut *world.resource_ptr::<R>() }, change: change_of::<W, R>(world) }
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut ResMut<'_, R>) -> ResMut<'a, R> {
        item.reborrow()
    }
}

// SAFETY: `ACCESS` declares that the queue is read; the reader's cursor, which it moves, is atomic.
unsafe impl<E: 'static, W: HasEvent<E>> SystemParam<W> for EventReader<'_, E> {
    const ACCESS: Access = Access { events_read: Bits256::of(W::INDEX), ..Access::ENTITIES };
    type State = ReaderState;
    type Item<'w> = EventReader<'w, E>;
    fn init(_: &mut W) -> ReaderState {
        ReaderState::default()
    }
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut ReaderState) -> EventReader<'w, E> {
        // SAFETY: the queue changes only in `EventWriter::finish`, which no one calls while a
        // system that reads the event runs.
        EventReader::of(unsafe { &*world.events_ptr::<E>() }, state.0)
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut EventReader<'_, E>) -> EventReader<'a, E> {
        item.reborrow()
    }
    #[inline]
    unsafe fn has_news(world: WorldCell<'_, W>, state: &mut ReaderState) -> bool {
        // SAFETY: the caller promises that no one else accesses the world.
        !EventReader::of(unsafe { &*world.events_ptr::<E>() }, state.0).is_empty()
    }
    #[inline]
    unsafe fn finish(world: WorldCell<'_, W>, state: &mut ReaderState, phase: &mut SystemPhase<'_, W>) {
        // SAFETY: called in `Open` and `Close` only, in which the caller promises that no one else
        // accesses the world.
        state.follow(phase, || unsafe { &mut (*world.events_ptr::<E>()).log });
        // events of another state, or with `skip = clear`, do not wait for a system that is skipped
        if let (SystemPhase::Skipped { by_state }, Some(reader)) = (phase, state.0)
            && W::BOUND.clear.unwrap_or(*by_state)
        {
            // SAFETY: the caller promises that no one changes the queue, since `ACCESS` declares
            // its read; cursors are atomic.
            unsafe { &*world.events_ptr::<E>() }.skip(reader);
        }
    }
}

// SAFETY: `ACCESS` declares that the queue is read and its events are changed, so that no other
// parameter that reads it exists at the same time; the events that systems send come into the queue
// in `EventWriter::finish`.
unsafe impl<E: 'static, W: HasEvent<E>> SystemParam<W> for EventMutator<'_, E> {
    const ACCESS: Access =
        Access { events_changed: Bits256::of(W::INDEX), ..<EventReader<'_, E> as SystemParam<W>>::ACCESS };
    type State = ReaderState;
    type Item<'w> = EventMutator<'w, E>;
    fn init(_: &mut W) -> ReaderState {
        ReaderState::default()
    }
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut ReaderState) -> EventMutator<'w, E> {
        // SAFETY: `ACCESS` declares the change, so the caller promises that no one else accesses
        // the queue while the system runs; `finish` of a writer is called before or after that.
        EventMutator::of(unsafe { &mut *world.events_ptr::<E>() }, state.0)
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut EventMutator<'_, E>) -> EventMutator<'a, E> {
        item.reborrow()
    }
    #[inline]
    unsafe fn has_news(world: WorldCell<'_, W>, state: &mut ReaderState) -> bool {
        // SAFETY: the promise is that of the caller.
        unsafe { <EventReader<'_, E> as SystemParam<W>>::has_news(world, state) }
    }
    #[inline]
    unsafe fn finish(world: WorldCell<'_, W>, state: &mut ReaderState, phase: &mut SystemPhase<'_, W>) {
        // SAFETY: the promise is that of the caller.
        unsafe { <EventReader<'_, E> as SystemParam<W>>::finish(world, state, phase) }
    }
}

/// The state of an [`EventWriter`]: the events that were sent until the system is done. A clone is
/// empty.
pub struct EventBuffer<E> {
    events: Vec<E>,
    /// Whether the stage was aborted by a panic. The events are then dropped when the system runs
    /// again, not while the panic unwinds.
    aborted: bool,
}

// SAFETY: by the contract of `EventBuffer::new`, `E` is an event of a world, which is `Send` by the
// contract of `HasEvent`.
unsafe impl<E> Send for EventBuffer<E> {}
// SAFETY: by the contract of `EventBuffer::new`, `E` is an event of a world, which is `Sync` by the
// contract of `HasEvent`.
unsafe impl<E> Sync for EventBuffer<E> {}

impl<E> EventBuffer<E> {
    /// An empty buffer.
    ///
    /// # Safety
    /// `E` is an event of a world.
    pub(crate) const unsafe fn new() -> Self {
        Self { events: Vec::new(), aborted: false }
    }

    /// A writer that sends to the buffer.
    pub(crate) const fn writer(&mut self) -> EventWriter<'_, E> {
        EventWriter::new(&mut self.events)
    }

    pub(crate) const fn events_mut(&mut self) -> &mut Vec<E> {
        &mut self.events
    }
}

impl<E> StateParts for EventBuffer<E> {}

impl<E> Clone for EventBuffer<E> {
    fn clone(&self) -> Self {
        let Self { events: _, aborted: _ } = self;
        Self { events: Vec::new(), aborted: false }
    }
}

// SAFETY: the item writes to the buffer in the state; `finish` writes to the queue, which `ACCESS`
// declares.
unsafe impl<E: 'static, W: HasEvent<E>> SystemParam<W> for EventWriter<'_, E> {
    const ACCESS: Access = Access { events_written: Bits256::of(W::INDEX), ..Access::ENTITIES };
    type State = EventBuffer<E>;
    type Item<'w> = EventWriter<'w, E>;
    fn init(_: &mut W) -> EventBuffer<E> {
        // SAFETY: `E` is an event of `W`.
        unsafe { EventBuffer::new() }
    }
    #[inline(always)]
    unsafe fn get<'w>(_: WorldCell<'w, W>, state: &'w mut EventBuffer<E>) -> EventWriter<'w, E> {
        state.aborted = false;
        state.events.clear(); // events of an aborted run
        EventWriter::new(&mut state.events)
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut EventWriter<'_, E>) -> EventWriter<'a, E> {
        item.reborrow()
    }
    #[inline]
    unsafe fn finish(world: WorldCell<'_, W>, state: &mut EventBuffer<E>, phase: &mut SystemPhase<'_, W>) {
        match phase {
            SystemPhase::Done if !state.aborted && !state.events.is_empty() => {
                // SAFETY: the caller promises that no one else accesses the queue, since `ACCESS`
                // declares its write.
                unsafe { &mut *world.events_ptr::<E>() }.append::<W>(&mut state.events);
            }
            SystemPhase::Discard => state.aborted = true,
            _ => {}
        }
    }
}

/// Makes a `Query` from columns: called by the expansion of `#[system]`, which gets the columns of
/// each element by itself.
///
/// # Safety
/// The columns are those of `D` and `F` in `world`, and during `'w` no one accesses `world` in a
/// way that clashes with `D` and `F`.
#[inline(always)]
pub unsafe fn query<'w, W: RawWorld, D: Data, F: Filter, P: PassedColumnsList>(
    world: WorldCell<'w, W>,
    data: D::Columns,
    filter: F::Columns,
) -> Query<'w, D, F> {
    // SAFETY: the caller promises that the columns are those of `D`, `F` and `world`, and that no
    // clashing access happens.
    unsafe { Query::new(data, filter, PassedOver::new(world, P::COLUMNS), world.entities()) }
}

/// Whether a query matches an entity: whether a system with `Changed` or `Added` has something that
/// it has not seen.
///
/// # Safety
/// The columns are those of `D` and `F` in `world`, and no one accesses `world` in a way that
/// clashes with `D` and `F`.
#[inline]
pub unsafe fn any<W: RawWorld, D: Data, F: Filter, P: PassedColumnsList>(
    world: WorldCell<'_, W>,
    data: D::Columns,
    filter: F::Columns,
) -> bool {
    // SAFETY: the caller makes the promise of `query`; the query ends with this statement.
    !unsafe { query::<W, D, F, P>(world, data, filter) }.is_empty()
}

// SAFETY: the item gives access to the resource, as `ResMut` does.
unsafe impl<R: Accumulate + 'static, W: HasResource<R>> SystemParam<W> for Accumulator<'_, R> {
    const ACCESS: Access = <ResMut<'_, R> as SystemParam<W>>::ACCESS;
    type State = ();
    type Item<'w> = Accumulator<'w, R>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut ()) -> Accumulator<'w, R> {
        // SAFETY: the caller's promise is that of `ResMut`, whose `ACCESS` this parameter has.
        Accumulator::of(unsafe { <ResMut<'_, R> as SystemParam<W>>::get(world, state) })
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Accumulator<'_, R>) -> Accumulator<'a, R> {
        item.reborrow()
    }
}

// SAFETY: a `Local` does not access the world.
unsafe impl<T: LocalValue + LocalOf<W>, W: RawWorld> SystemParam<W> for Local<'_, T> {
    const ACCESS: Access = Access::NONE;
    type State = LocalState<T>;
    type Item<'w> = Local<'w, T>;
    fn init(_: &mut W) -> LocalState<T> {
        LocalState { value: T::default(), clone: T::clone, code: <T as LocalOf<W>>::CODE }
    }
    #[inline(always)]
    unsafe fn get<'w>(_: WorldCell<'w, W>, state: &'w mut LocalState<T>) -> Local<'w, T> {
        Local(&mut state.value)
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Local<'_, T>) -> Local<'a, T> {
        Local(item.0)
    }
}

// SAFETY: `ACCESS` declares that values, presence and stamps of `T` are read.
unsafe impl<T: Indexed, W: Has<T>> SystemParam<W> for Lookup<'_, T> {
    const ACCESS: Access =
        Access { stamps: ComponentSet::EMPTY.with(W::INDEX), ..Access::read(W::INDEX).without_filters() };
    type State = ();
    type Item<'w> = Lookup<'w, T>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> Lookup<'w, T> {
        // SAFETY: the caller promises that no one accesses `T` in a way that clashes with `ACCESS`,
        // so no one writes it during `'w`.
        Lookup::new(View::new(unsafe { world.column::<T>() }, world.entities()))
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Lookup<'_, T>) -> Lookup<'a, T> {
        *item
    }
}

// SAFETY: `ACCESS` declares that values and presence of `T` are read; the state of a hook changes
// only with them.
unsafe impl<T: Hooked, W: Has<T>> SystemParam<W> for HookState<'_, T> {
    const ACCESS: Access = Access::read(W::INDEX).without_filters();
    type State = ();
    type Item<'w> = HookState<'w, T>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> HookState<'w, T> {
        // SAFETY: the caller promises that no one accesses `T` in a way that clashes with `ACCESS`,
        // so no one writes it during `'w`.
        HookState::new(View::new(unsafe { world.column::<T>() }, world.entities()))
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut HookState<'_, T>) -> HookState<'a, T> {
        item.reborrow()
    }
}

// SAFETY: `ACCESS` declares that values and presence of `T` are written. The set of columns of a
// block, which inserting also writes, is atomic.
unsafe impl<T: 'static, W: Has<T>> SystemParam<W> for Storage<'_, T> {
    const ACCESS: Access = Access::storage(W::INDEX);
    type State = ();
    type Item<'w> = Storage<'w, T>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> Storage<'w, T> {
        // all queries read the column of such a component, without access that says so; `check` has
        // a better message
        const {
            let disables = PartOf::<W, T>::DISABLES;
            assert!(matches!(disables, Disables::Nothing), "a `Storage` of a component with `disables`");
            let is_free = !TargetRules::<W>::ALL.contains(<W as Has<T>>::INDEX);
            assert!(is_free, "a `Storage` of a relation with `target(..)`, or of a component in it");
        }
        // SAFETY: `ACCESS` declares the write, so the caller promises that no one else accesses
        // this column during `'w`.
        let column = unsafe { world.column_mut::<T>() };
        let ticks = if W::Kind::TRACKED || W::Kind::GUARDED || W::JOURNAL > 0 {
            world.ticks()
        } else {
            Ticks::default()
        };
        Storage { view: ViewMut::new(column, world.entities(), W::INDEX), ticks, world: W::WORLD_NAME }
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Storage<'_, T>) -> Storage<'a, T> {
        Storage { view: item.view.reborrow(), ..*item }
    }
}

// SAFETY: `ACCESS` declares the read of the presence of `T`, so no one removes values, which would
// change the log, meanwhile. The reader's cursor, which the item moves, is atomic.
unsafe impl<T: 'static, W: HasRemoved<T>> SystemParam<W> for Removed<'_, T> {
    const ACCESS: Access = Access::presence(W::INDEX);
    type State = ReaderState;
    type Item<'w> = Removed<'w, T>;
    fn init(_: &mut W) -> ReaderState {
        ReaderState::default()
    }
    unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut ReaderState) -> Removed<'w, T> {
        // SAFETY: the caller promises that no one accesses `T` in a way that clashes with `ACCESS`,
        // so no value is removed during `'w`.
        let removals = unsafe { world.column::<T>() }.removals();
        let Some(removals) = removals else { return Removed::new(&[]) };
        let cursor = state.0.and_then(|reader| removals.log.readers.cursor(reader));
        let (unread, missed) = removals.after(cursor.map_or(0, ReaderCursor::seen));
        Removed { unread, reading: LogReading::new(&removals.log, cursor, missed) }
    }
    fn lend<'a>(item: &'a mut Removed<'_, T>) -> Removed<'a, T> {
        Removed { ..*item }
    }
    unsafe fn finish(world: WorldCell<'_, W>, state: &mut ReaderState, phase: &mut SystemPhase<'_, W>) {
        // SAFETY: called in `Open` and `Close` only, in which the caller promises that no one else
        // accesses the world.
        let column = || unsafe { world.column_mut::<T>() };
        state.follow(phase, || &mut column().removals_mut(W::MOST, W::COPY).log);
    }
    unsafe fn has_news(world: WorldCell<'_, W>, state: &mut ReaderState) -> bool {
        // SAFETY: the caller promises that no one else accesses the world.
        !unsafe { Self::get(world, state) }.is_empty()
    }
}

// SAFETY: `Access::COMMANDS` declares that the entities and the presence of components are read.
// Changes are kept in the state until the flush, which borrows the world mutably.
unsafe impl<V: SameWorld<W>, W: RawWorld> SystemParam<W> for Commands<'_, V> {
    const ACCESS: Access = Access::COMMANDS;
    type State = CommandState<W>;
    type Item<'w> = Commands<'w, V>;
    fn init(_: &mut W) -> CommandState<W> {
        CommandState::new(ReservedSlots::default()) // replaced in `SystemPhase::Open`
    }
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut CommandState<W>) -> Commands<'w, V> {
        state.begin();
        // SAFETY: `ACCESS` declares that the presence of all components is read, so the caller
        // promises that no one adds or removes components during `'w`.
        V::same(Commands { world: unsafe { PresenceCell::new(world) }, state })
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Commands<'_, V>) -> Commands<'a, V> {
        item.reborrow()
    }
    #[inline]
    unsafe fn finish(world: WorldCell<'_, W>, state: &mut CommandState<W>, phase: &mut SystemPhase<'_, W>) {
        if !matches!(phase, SystemPhase::Done | SystemPhase::Skipped { .. }) {
            // SAFETY: in the other phases no one else accesses the world.
            state.finish(unsafe { world.entities_mut() }, phase);
        }
    }
}

// SAFETY: all is that of `Commands`.
unsafe impl<V: SameWorld<W>, W: RawWorld> SystemParam<W> for ParCommands<'_, V> {
    const ACCESS: Access = <Commands<'_, V> as SystemParam<W>>::ACCESS;
    type State = CommandState<W>;
    type Item<'w> = ParCommands<'w, V>;
    fn init(world: &mut W) -> CommandState<W> {
        <Commands<'_, V> as SystemParam<W>>::init(world)
    }
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut CommandState<W>) -> ParCommands<'w, V> {
        // SAFETY: the caller's promise is that of `Commands`, whose `ACCESS` and state this
        // parameter has.
        ParCommands::of(unsafe { <Commands<'_, V> as SystemParam<W>>::get(world, state) })
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut ParCommands<'_, V>) -> ParCommands<'a, V> {
        item.reborrow()
    }
    #[inline]
    unsafe fn finish(world: WorldCell<'_, W>, state: &mut CommandState<W>, phase: &mut SystemPhase<'_, W>) {
        // SAFETY: the caller's promise is that of `Commands::finish`, whose state this parameter
        // has.
        unsafe { <Commands<'_, V> as SystemParam<W>>::finish(world, state, phase) };
    }
}
