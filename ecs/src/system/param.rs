//! The parameters of systems.
#![expect(unsafe_code, reason = "parameters are made from a world whose accesses were checked")]

use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, DerefMut};

use super::SystemPhase;
use super::access::Access;
use super::state::StateParts;
use crate::base::bits256::Bits256;
use crate::event::{EventReader, EventReaderState, EventWriter, HasEvent};
use crate::query::{Data, Filter, Query, QueryData, QueryFilter};
use crate::resource::HasResource;
use crate::world::{World, WorldCell};

/// What a system can take as a parameter.
///
/// # Safety
/// An item reaches of the world only what `ACCESS` declares.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system parameter of world `{W}`",
    label = "not a system parameter",
    note = "a component is borrowed, `&{Self}` or `&mut {Self}`; a resource is taken as `Res<{Self}>` or `ResMut<{Self}>`, an event as `EventReader<{Self}>` or `EventWriter<{Self}>`, and a `#[derive(Query)]` struct as `Each<{Self}>`",
    note = "a system takes `Query<..>`, `Res<T>`, `ResMut<T>`, `EventReader<E>`, `EventWriter<E>`, `Local<T>`, `Storage<T>`, `Lookup<T>`, `Entered<F>`, `Exited<F>`, `Removed<T>`, `Commands<{W}>` or `&mut {W}`; per entity `&T`, `&mut T`, `Ref<T>`, `Mut<T>`, `Option` of those, `Entity`, `Is<T>`, `Each<Q>`, and the filters `With<T>`, `Without<T>`, `Changed<T>`, `Added<T>`, `And`, `Or`, `Not`; these are known by their names: write an alias of one out"
)]
pub unsafe trait SystemParam<W: World> {
    /// What it touches.
    const ACCESS: Access;
    /// What it remembers from run to run.
    type State: Clone + Send + Sync + StateParts + 'static;
    /// The parameter, while the system runs.
    type Item<'w>;
    /// The state to begin with.
    fn init(world: &mut W) -> Self::State;
    /// The parameter.
    ///
    /// # Safety
    /// For `'w` nobody else accesses the world in a way that clashes with `ACCESS`.
    unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut Self::State) -> Self::Item<'w>;
    /// The parameter, for one call of a per-entity system.
    fn lend<'a>(item: &'a mut Self::Item<'_>) -> Self::Item<'a>;
    /// What happens after the system ran, and at the end of its stage.
    ///
    /// # Safety
    /// The parameter is gone, and nobody else accesses what it declares in a way that clashes with it; in any phase but the
    /// first two, nobody else accesses the world.
    unsafe fn finish(_world: WorldCell<'_, W>, _state: &mut Self::State, _phase: &mut SystemPhase<'_, W>) {}
    /// Whether there is something that the system reacts to through this parameter, and has not seen.
    ///
    /// # Safety
    /// Nobody else accesses the world.
    unsafe fn has_news(_world: WorldCell<'_, W>, _state: &mut Self::State) -> bool {
        false
    }
}

// SAFETY: the access is that of its data and its filter.
unsafe impl<W: World, D: QueryData<W>, F: QueryFilter<W>> SystemParam<W> for Query<'_, D, F> {
    const ACCESS: Access = D::ACCESS.and(F::ACCESS);
    type State = ();
    type Item<'w> = Query<'w, D, F>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> Query<'w, D, F> {
        // SAFETY: the caller's promise.
        unsafe { Query::of(world) }
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Query<'_, D, F>) -> Query<'a, D, F> {
        item.reborrow()
    }
}

/// As a parameter: a resource, shared.
pub struct Res<'w, R>(&'w R);

impl<'w, R> Res<'w, R> {
    /// For calling a system as the function it is.
    pub const fn new(resource: &'w R) -> Self {
        Self(resource)
    }

    /// The resource for as long as the system runs.
    pub const fn into_inner(self) -> &'w R {
        self.0
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
        self.0
    }
}

// SAFETY: it reads the resource.
unsafe impl<R: 'static, W: HasResource<R>> SystemParam<W> for Res<'_, R> {
    const ACCESS: Access = {
        let index = Bits256::of(W::INDEX);
        if W::SHARED {
            Access { resources_write: index, ..Access::ENTITIES } // so that the order of the text is kept
        } else {
            Access { resources_read: index, ..Access::ENTITIES }
        }
    };
    type State = ();
    type Item<'w> = Res<'w, R>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> Res<'w, R> {
        // SAFETY: the caller keeps writers away.
        Res(unsafe { &*world.resource_ptr::<R>() })
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Res<'_, R>) -> Res<'a, R> {
        *item
    }
}

/// As a parameter: a resource, mutable.
pub struct ResMut<'w, R>(&'w mut R);

impl<'w, R> ResMut<'w, R> {
    /// For calling a system as the function it is.
    pub const fn new(resource: &'w mut R) -> Self {
        Self(resource)
    }

    /// The resource for as long as the system runs.
    pub const fn into_inner(self) -> &'w mut R {
        self.0
    }
}

impl<R> Deref for ResMut<'_, R> {
    type Target = R;
    #[inline(always)]
    fn deref(&self) -> &R {
        self.0
    }
}

impl<R> DerefMut for ResMut<'_, R> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut R {
        self.0
    }
}

// SAFETY: it writes the resource.
unsafe impl<R: 'static, W: HasResource<R>> SystemParam<W> for ResMut<'_, R> {
    const ACCESS: Access = Access { resources_write: Bits256::of(W::INDEX), ..Access::ENTITIES };
    type State = ();
    type Item<'w> = ResMut<'w, R>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> ResMut<'w, R> {
        // SAFETY: the caller keeps everybody else away.
        ResMut(unsafe { &mut *world.resource_ptr::<R>() })
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut ResMut<'_, R>) -> ResMut<'a, R> {
        ResMut(item.0)
    }
}

/// As a parameter: a value of this system at this place, kept from run to run; it begins with its default.
///
/// It belongs to the world: cloning the world clones it.
pub struct Local<'w, T>(&'w mut T);

impl<'w, T> Local<'w, T> {
    /// For calling a system as the function it is.
    pub const fn new(value: &'w mut T) -> Self {
        Self(value)
    }
}

impl<T> Deref for Local<'_, T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        self.0
    }
}

impl<T> DerefMut for Local<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        self.0
    }
}

/// A value that knows how it is cloned: that it cannot be is said of the [`Local`], and not of its state once more.
pub struct LocalState<T> {
    value: T,
    clone: fn(&T) -> T,
    /// How it is saved, if its world is.
    #[cfg(feature = "serde")]
    code: Option<crate::save::state::ValueCode<T>>,
}

impl<T> Clone for LocalState<T> {
    fn clone(&self) -> Self {
        let Self {
            value,
            clone,
            #[cfg(feature = "serde")]
            code,
        } = self;
        Self {
            value: clone(value),
            clone: *clone,
            #[cfg(feature = "serde")]
            code: *code,
        }
    }
}

impl<T: Send + Sync + 'static> StateParts for LocalState<T> {
    #[cfg(feature = "serde")]
    fn kept<'s>(&'s self, each: &mut dyn FnMut(&'s dyn super::state::SavedState)) {
        if self.code.is_some() {
            each(self);
        }
    }

    #[cfg(feature = "serde")]
    fn kept_mut<'s>(&'s mut self, each: &mut dyn FnMut(&'s mut dyn super::state::SavedState)) {
        if self.code.is_some() {
            each(self);
        }
    }
}

#[cfg(feature = "serde")]
impl<T: Send + Sync + 'static> super::state::SavedState for LocalState<T> {
    fn what(&self) -> &'static str {
        core::any::type_name::<T>()
    }

    fn save_kept(&self) -> alloc::boxed::Box<dyn erased_serde::Serialize + '_> {
        match &self.code {
            Some(code) => alloc::boxed::Box::new((code.save)(&self.value)),
            None => alloc::boxed::Box::new(()),
        }
    }

    fn load_kept(
        &mut self,
        file: &mut dyn erased_serde::Deserializer<'_>,
        _: &crate::save::state::LoadContext<'_>,
    ) -> Result<(), erased_serde::Error> {
        if let Some(code) = &self.code {
            self.value = (code.load)(file)?;
        }
        Ok(())
    }

    fn read_kept(
        &mut self,
        file: &mut crate::save::compact::read::Reader<'_, '_>,
        _: &crate::save::state::LoadContext<'_>,
    ) -> Result<(), crate::save::compact::Fault> {
        if let Some(code) = &self.code {
            self.value = (code.read)(file)?;
        }
        Ok(())
    }
}

/// What a [`Local`] can hold.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `Local`: it needs `Default`, to begin with, and `Clone`, since its world may be cloned",
    label = "not `Default` and `Clone`",
    note = "add `#[derive(Default, Clone)]` to `{Self}`; what a `Local` holds is also `Send` and `Sync`"
)]
pub trait LocalValue: Default + Clone + Send + Sync + 'static {}
#[diagnostic::do_not_recommend]
impl<T: Default + Clone + Send + Sync + 'static> LocalValue for T {}

#[cfg(feature = "serde")]
use crate::save::state::LocalOf;

/// What a [`Local`] can hold in the systems of a world: anything, where no world is saved.
#[cfg(not(feature = "serde"))]
pub trait LocalOf<W> {}
#[cfg(not(feature = "serde"))]
impl<T, W> LocalOf<W> for T {}

// SAFETY: it touches nothing of the world.
unsafe impl<T: LocalValue + LocalOf<W>, W: World> SystemParam<W> for Local<'_, T> {
    const ACCESS: Access = Access::NONE;
    type State = LocalState<T>;
    type Item<'w> = Local<'w, T>;
    fn init(_: &mut W) -> LocalState<T> {
        LocalState {
            value: T::default(),
            clone: T::clone,
            #[cfg(feature = "serde")]
            code: <T as LocalOf<W>>::CODE,
        }
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

// SAFETY: it reads the queue; its cursor is atomic.
unsafe impl<E: 'static, W: HasEvent<E>> SystemParam<W> for EventReader<'_, E> {
    const ACCESS: Access = Access { events_read: Bits256::of(W::INDEX), ..Access::ENTITIES };
    type State = EventReaderState;
    type Item<'w> = EventReader<'w, E>;
    fn init(_: &mut W) -> EventReaderState {
        EventReaderState::default()
    }
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut EventReaderState) -> EventReader<'w, E> {
        // SAFETY: the queue changes only when a writer is finished, after its system.
        EventReader::of(unsafe { &*world.events_ptr::<E>() }, state)
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut EventReader<'_, E>) -> EventReader<'a, E> {
        item.reborrow()
    }
    #[inline]
    unsafe fn has_news(world: WorldCell<'_, W>, state: &mut EventReaderState) -> bool {
        // SAFETY: nobody else accesses the queue, by the caller's promise.
        !EventReader::of(unsafe { &*world.events_ptr::<E>() }, state).is_empty()
    }
    #[inline]
    unsafe fn finish(world: WorldCell<'_, W>, state: &mut EventReaderState, phase: &mut SystemPhase<'_, W>) {
        match phase {
            // SAFETY: nobody else accesses the world, by the caller's promise.
            SystemPhase::Open(place) => state.begin(unsafe { &mut *world.events_ptr::<E>() }, *place),
            // SAFETY: as above.
            SystemPhase::Close => state.end(unsafe { &mut *world.events_ptr::<E>() }),
            // SAFETY: by the caller's promise nothing changes the queue, which this parameter reads; cursors are atomic.
            SystemPhase::Skipped if W::BOUND.clear => state.skip(unsafe { &*world.events_ptr::<E>() }),
            _ => {}
        }
    }
}

/// What an [`EventWriter`] sends until its system is done. A clone begins empty.
pub struct EventBuffer<E> {
    events: Vec<E>,
    /// Whether the system was broken off: the events are dropped when it runs again, not while a panic is on its way.
    aborted: bool,
}

// SAFETY: only `EventWriter::init` makes one, of an event of a world, which is `Send` by the contract of `HasEvent`.
unsafe impl<E> Send for EventBuffer<E> {}
// SAFETY: as above, of `Sync`.
unsafe impl<E> Sync for EventBuffer<E> {}

impl<E> StateParts for EventBuffer<E> {}

impl<E> Clone for EventBuffer<E> {
    fn clone(&self) -> Self {
        let Self { events: _, aborted: _ } = self;
        Self { events: Vec::new(), aborted: false }
    }
}

// SAFETY: it writes to a buffer of its own, and to the queue when the system is done.
unsafe impl<E: 'static, W: HasEvent<E>> SystemParam<W> for EventWriter<'_, E> {
    const ACCESS: Access = Access { events_written: Bits256::of(W::INDEX), ..Access::ENTITIES };
    type State = EventBuffer<E>;
    type Item<'w> = EventWriter<'w, E>;
    fn init(_: &mut W) -> EventBuffer<E> {
        EventBuffer { events: Vec::new(), aborted: false }
    }
    #[inline(always)]
    unsafe fn get<'w>(_: WorldCell<'w, W>, state: &'w mut EventBuffer<E>) -> EventWriter<'w, E> {
        state.aborted = false;
        state.events.clear(); // what the system sent before it was broken off
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
                // SAFETY: nobody else accesses the queue, by the caller's promise.
                unsafe { &mut *world.events_ptr::<E>() }.append::<W>(&mut state.events);
            }
            SystemPhase::Discard => state.aborted = true,
            _ => {}
        }
    }
}

/// What the macro makes of a `Query` whose elements it has looked at one by one.
///
/// # Safety
/// The columns are those of `D` and `F` in `world`, which for `'w` nobody accesses in a way that clashes with `D` and `F`.
#[inline(always)]
pub unsafe fn query<'w, W: World, D: Data, F: Filter>(
    world: WorldCell<'w, W>,
    data: D::Columns,
    filter: F::Columns,
) -> Query<'w, D, F> {
    // SAFETY: the caller's promise.
    unsafe { Query::new(data, filter, world.entities()) }
}

/// Whether a query matches anything: what a system with `Changed` or `Added` has not seen.
///
/// # Safety
/// As for [`query`].
#[inline]
pub unsafe fn any<W: World, D: Data, F: Filter>(
    world: WorldCell<'_, W>,
    data: D::Columns,
    filter: F::Columns,
) -> bool {
    // SAFETY: the caller's promise.
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
debug_as_inner!(Res ResMut Local);
