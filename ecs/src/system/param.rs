//! [`SystemParam`], and the parameters for queries, resources, events and local values.
#![expect(unsafe_code, reason = "parameters are made from a world whose accesses were checked")]

use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, DerefMut};

use super::SystemPhase;
use super::state::StateParts;
use crate::base::access::Access;
use crate::base::bits256::Bits256;
use crate::base::tick::Tick;
use crate::change::ResourceChange;
use crate::event::{EventReader, EventReaderState, EventWriter, HasEvent};
use crate::query::{Data, Filter, Query, QueryData, QueryFilter};
use crate::raw_world::{RawWorld, WorldCell};
use crate::resource::{HasResource, TrackedResource};

/// A type that a system can take as a parameter.
///
/// | parameter | gives |
/// |---|---|
/// | [`Query<D, F>`](Query) | access to the components of entities |
/// | [`Res<T>`](Res), [`ResMut<T>`](ResMut) | a resource, shared or mutable |
/// | [`EventReader<E>`](EventReader), [`EventWriter<E>`](EventWriter) | reading and sending events |
/// | [`Commands<W>`](crate::Commands) | changes of entities at the end of the stage |
/// | [`ParCommands<W>`](crate::ParCommands) | the same, also in a system that is marked `par` |
/// | [`Accumulator<R>`](crate::Accumulator) | adding to a resource, also in a system that is marked `par` |
/// | [`Local<T>`](crate::Local) | a value of the system's own |
/// | [`Storage<T>`](super::Storage) | adding and removing one component at once |
/// | [`Lookup<T>`](super::Lookup) | entities by the value of an indexed component |
/// | [`Entered<F>`](super::Entered), [`Exited<F>`](super::Exited) | entities that began or ceased to pass a filter |
/// | [`Removed<T>`](super::Removed) | the removed values of a component |
/// | [`Tick`](crate::system::Tick) | the tick of this run, for [`Query::since`] |
/// | `&mut W` | the whole world |
///
/// A per-entity system also takes query data ([`Data`]) and filters ([`Filter`]) as parameters.
///
/// # Safety
/// An item gives access only to the parts of the world that `ACCESS` declares.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system parameter of world `{W}`",
    label = "not a system parameter",
    note = "if `{Self}` is a component, borrow it: `&{Self}` or `&mut {Self}`; a resource is taken as `Res<{Self}>` or `ResMut<{Self}>`, an event as `EventReader<{Self}>` or `EventWriter<{Self}>`, and a `#[derive(Query)]` struct as `Each<{Self}>`",
    note = "a value that the system keeps from run to run is `Local<{Self}>`; a type of another crate, such as `Vec<T>`, is the field of a component or of a resource of your own",
    note = "a system takes `Query<..>`, `Res<T>`, `ResMut<T>`, `EventReader<E>`, `EventWriter<E>`, `Local<T>`, `Storage<T>`, `Lookup<T>`, `Entered<F>`, `Exited<F>`, `Removed<T>`, `Commands<{W}>` or `&mut {W}`; per entity `&T`, `&mut T`, `Ref<T>`, `Mut<T>`, `Option` of those, `Entity`, `Is<T>`, `Each<Q>`, and the filters `With<T>`, `Without<T>`, `Changed<T>`, `Added<T>`, `And`, `Or`, `Not`; these are known by their names: write an alias of one out"
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
    /// During `'w` no one else accesses the world in a way that clashes with `ACCESS`.
    unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut Self::State) -> Self::Item<'w>;
    /// Reborrows the value for one call of a per-entity system's function.
    fn lend<'a>(item: &'a mut Self::Item<'_>) -> Self::Item<'a>;
    /// Called in each [`SystemPhase`] other than the run itself.
    ///
    /// # Safety
    /// No item of the parameter exists, and no one else accesses the world in a way that clashes with `ACCESS`. In phases other than
    /// [`SystemPhase::Done`] and [`SystemPhase::Skipped`], no one else accesses the world.
    unsafe fn finish(_world: WorldCell<'_, W>, _state: &mut Self::State, _phase: &mut SystemPhase<'_, W>) {}
    /// Whether the parameter has something that the system has not seen, such as an unread event.
    ///
    /// # Safety
    /// No one else accesses the world.
    unsafe fn has_news(_world: WorldCell<'_, W>, _state: &mut Self::State) -> bool {
        false
    }
}

// SAFETY: a query gives access to what its data and its filter declare, and `ACCESS` is the union of both.
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
}

/// System parameter: shared access to the resource `R`.
///
/// Systems that take `Res` of the same resource run in parallel, unless the resource is declared with `#[resource(shared)]`.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component)] struct Position(f32);
/// #[derive(Resource)] struct DeltaTime(f32);
///
/// world! {
///     struct Game { components { Position } resources { DeltaTime } }
///     schedule tick { movement }
/// }
///
/// #[system(Game)]
/// fn movement(position: &mut Position, delta: Res<DeltaTime>) {
///     position.0 += delta.0;
/// }
///
/// let mut game = Game::new(DeltaTime(0.5));
/// let ball = game.spawn(Position(1.0));
/// game.tick();
/// assert_eq!(game.get::<Position>(ball).unwrap().0, 1.5);
/// ```
pub struct Res<'w, R> {
    value: &'w R,
    /// `None` if the resource is not tracked, or was made without a world.
    change: Option<ResourceChange<'w>>,
}

impl<'w, R> Res<'w, R> {
    /// Makes the parameter from a reference, to call a system as a plain function. The resource counts as changed.
    pub const fn new(resource: &'w R) -> Self {
        Self { value: resource, change: None }
    }

    /// The reference to the resource, for the whole run of the system.
    pub const fn into_inner(self) -> &'w R {
        self.value
    }

    /// Whether the resource was changed since the last run of the system at this place: see [`TrackedResource`].
    #[inline]
    pub fn is_changed(&self) -> bool
    where
        R: TrackedResource,
    {
        self.change.is_none_or(ResourceChange::is_changed)
    }

    /// Whether the resource was changed after this tick: see [`TrackedResource`].
    #[inline]
    pub fn changed_since(&self, tick: Tick) -> bool
    where
        R: TrackedResource,
    {
        self.change.is_none_or(|change| change.changed_since(tick))
    }
}

impl<R> Clone for Res<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Res<'_, R> {}

impl<R> Deref for Res<'_, R> {
    type Target = R;
    #[inline(always)]
    fn deref(&self) -> &R {
        self.value
    }
}

// SAFETY: `ACCESS` declares the read of the resource (of a shared resource, a write).
unsafe impl<R: 'static, W: HasResource<R>> SystemParam<W> for Res<'_, R> {
    const ACCESS: Access = {
        let index = Bits256::of(W::INDEX);
        if W::SHARED {
            // a shared resource has interior mutability: as a write, systems run in the order in which they are written
            Access { resources_write: index, timed: W::TRACKED, ..Access::ENTITIES }
        } else {
            Access { resources_read: index, timed: W::TRACKED, ..Access::ENTITIES }
        }
    };
    type State = ();
    type Item<'w> = Res<'w, R>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> Res<'w, R> {
        // SAFETY: `ACCESS` declares the read, so the caller promises that no one writes the resource during `'w`.
        Res { value: unsafe { &*world.resource_ptr::<R>() }, change: change_of::<W, R>(world) }
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Res<'_, R>) -> Res<'a, R> {
        *item
    }
}

/// System parameter: exclusive access to the resource `R`.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Resource, Default)] struct Score(u32);
///
/// world! {
///     struct Game { resources { Score } }
///     schedule tick { win }
/// }
///
/// #[system(Game)]
/// fn win(mut score: ResMut<Score>) {
///     score.0 += 10;
/// }
///
/// let mut game = Game::new(Score::default());
/// game.tick();
/// assert_eq!(game.resource::<Score>().0, 10);
/// ```
pub struct ResMut<'w, R> {
    value: &'w mut R,
    /// `None` if the resource is not tracked, or was made without a world.
    change: Option<ResourceChange<'w>>,
}

impl<'w, R> ResMut<'w, R> {
    /// Makes the parameter from a reference, to call a system as a plain function. The resource counts as changed.
    pub const fn new(resource: &'w mut R) -> Self {
        Self { value: resource, change: None }
    }

    /// The reference to the resource, for the whole run of the system. A tracked resource counts as changed.
    pub fn into_inner(mut self) -> &'w mut R {
        self.mark();
        self.value
    }

    /// Whether the resource was changed since the last run of the system at this place, changes through this parameter included: see
    /// [`TrackedResource`].
    #[inline]
    pub fn is_changed(&self) -> bool
    where
        R: TrackedResource,
    {
        self.change.is_none_or(ResourceChange::is_changed)
    }

    /// Whether the resource was changed after this tick, changes through this parameter included: see [`TrackedResource`].
    #[inline]
    pub fn changed_since(&self, tick: Tick) -> bool
    where
        R: TrackedResource,
    {
        self.change.is_none_or(|change| change.changed_since(tick))
    }

    /// Marks the resource as changed.
    #[inline]
    pub fn set_changed(&mut self)
    where
        R: TrackedResource,
    {
        self.mark();
    }

    /// Sets the value unless it is already equal. Returns whether it was changed.
    #[inline]
    pub fn set_if_neq(&mut self, value: R) -> bool
    where
        R: TrackedResource + PartialEq,
    {
        let changed = *self.value != value;
        if changed {
            **self = value;
        }
        changed
    }

    #[inline(always)]
    fn mark(&mut self) {
        if let Some(change) = self.change {
            change.mark();
        }
    }
}

/// The recorded change of a tracked resource; `None` for other resources.
#[inline(always)]
fn change_of<W: HasResource<R>, R: 'static>(world: WorldCell<'_, W>) -> Option<ResourceChange<'_>> {
    if const { !W::TRACKED } {
        return None;
    }
    Some(ResourceChange { changed: world.entities().resource_tick(W::INDEX)?, ticks: world.ticks() })
}

impl<R> Deref for ResMut<'_, R> {
    type Target = R;
    #[inline(always)]
    fn deref(&self) -> &R {
        self.value
    }
}

impl<R> DerefMut for ResMut<'_, R> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut R {
        self.mark();
        self.value
    }
}

// SAFETY: `ACCESS` declares the write of the resource.
unsafe impl<R: 'static, W: HasResource<R>> SystemParam<W> for ResMut<'_, R> {
    const ACCESS: Access =
        Access { resources_write: Bits256::of(W::INDEX), timed: W::TRACKED, ..Access::ENTITIES };
    type State = ();
    type Item<'w> = ResMut<'w, R>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> ResMut<'w, R> {
        // SAFETY: `ACCESS` declares the write, so the caller promises that no one else accesses the resource during `'w`.
        ResMut { value: unsafe { &mut *world.resource_ptr::<R>() }, change: change_of::<W, R>(world) }
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut ResMut<'_, R>) -> ResMut<'a, R> {
        ResMut { value: item.value, change: item.change }
    }
}

// SAFETY: `ACCESS` declares that the queue is read; the reader's cursor, which it moves, is atomic.
unsafe impl<E: 'static, W: HasEvent<E>> SystemParam<W> for EventReader<'_, E> {
    const ACCESS: Access = Access { events_read: Bits256::of(W::INDEX), ..Access::ENTITIES };
    type State = EventReaderState;
    type Item<'w> = EventReader<'w, E>;
    fn init(_: &mut W) -> EventReaderState {
        EventReaderState::default()
    }
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut EventReaderState) -> EventReader<'w, E> {
        // SAFETY: the queue changes only in `EventWriter::finish`, which no one calls while a system that reads the event runs.
        EventReader::of(unsafe { &*world.events_ptr::<E>() }, state)
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut EventReader<'_, E>) -> EventReader<'a, E> {
        item.reborrow()
    }
    #[inline]
    unsafe fn has_news(world: WorldCell<'_, W>, state: &mut EventReaderState) -> bool {
        // SAFETY: the caller promises that no one else accesses the world.
        !EventReader::of(unsafe { &*world.events_ptr::<E>() }, state).is_empty()
    }
    #[inline]
    unsafe fn finish(world: WorldCell<'_, W>, state: &mut EventReaderState, phase: &mut SystemPhase<'_, W>) {
        match phase {
            // SAFETY: in this phase the caller promises that no one else accesses the world.
            SystemPhase::Open(place) => state.begin(unsafe { &mut *world.events_ptr::<E>() }, *place),
            // SAFETY: in this phase the caller promises that no one else accesses the world.
            SystemPhase::Close => state.end(unsafe { &mut *world.events_ptr::<E>() }),
            // SAFETY: the caller promises that no one changes the queue, since `ACCESS` declares its read; cursors are atomic.
            SystemPhase::Skipped if W::BOUND.clear => state.skip(unsafe { &*world.events_ptr::<E>() }),
            _ => {}
        }
    }
}

/// The state of an [`EventWriter`]: the events that were sent until the system is done. A clone is empty.
pub struct EventBuffer<E> {
    events: Vec<E>,
    /// Whether the stage was aborted by a panic. The events are then dropped when the system runs again, not while the panic unwinds.
    aborted: bool,
}

// SAFETY: by the contract of `EventBuffer::new`, `E` is an event of a world, which is `Send` by the contract of `HasEvent`.
unsafe impl<E> Send for EventBuffer<E> {}
// SAFETY: by the contract of `EventBuffer::new`, `E` is an event of a world, which is `Sync` by the contract of `HasEvent`.
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

// SAFETY: the item writes to the buffer in the state; `finish` writes to the queue, which `ACCESS` declares.
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
                // SAFETY: the caller promises that no one else accesses the queue, since `ACCESS` declares its write.
                unsafe { &mut *world.events_ptr::<E>() }.append::<W>(&mut state.events);
            }
            SystemPhase::Discard => state.aborted = true,
            _ => {}
        }
    }
}

/// Makes a `Query` from columns: called by the expansion of `#[system]`, which gets the columns of each element by itself.
///
/// # Safety
/// The columns are those of `D` and `F` in `world`, and during `'w` no one accesses `world` in a way that clashes with `D` and `F`.
#[inline(always)]
pub unsafe fn query<'w, W: RawWorld, D: Data, F: Filter>(
    world: WorldCell<'w, W>,
    data: D::Columns,
    filter: F::Columns,
) -> Query<'w, D, F> {
    // SAFETY: the caller promises that the columns are those of `D`, `F` and `world`, and that no clashing access happens.
    unsafe { Query::new(data, filter, world.entities()) }
}

/// Whether a query matches an entity: whether a system with `Changed` or `Added` has something that it has not seen.
///
/// # Safety
/// The columns are those of `D` and `F` in `world`, and no one accesses `world` in a way that clashes with `D` and `F`.
#[inline]
pub unsafe fn any<W: RawWorld, D: Data, F: Filter>(
    world: WorldCell<'_, W>,
    data: D::Columns,
    filter: F::Columns,
) -> bool {
    // SAFETY: the caller makes the promise of `query`; the query ends with this statement.
    !unsafe { query::<W, D, F>(world, data, filter) }.is_empty()
}

macro_rules! debug_as_inner {
    ($($name:ident)*) => {$(
        impl<T: fmt::Debug> fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&**self, f)
            }
        }
    )*};
}
debug_as_inner!(Res ResMut);
