//! [`SharedParam`]: the parameters that the threads of a system marked `par` can share.
//!
//! Parameters that only read are the same for all threads. Parameters that write have an output for
//! each run of entities that a thread visits; when all entities are visited, the outputs are joined
//! in the order of the slots.
#![expect(unsafe_code, reason = "items are shared by several threads")]

use alloc::boxed::Box;
use core::any::Any;

use super::accumulator::{Accumulate, Accumulator, PendingValues};
use super::param::EventBuffer;
use super::{HookState, Res, SystemParam};
use crate::command::SameWorld;
use crate::command::par::ParCommands;
use crate::command::queue::CommandQueue;
use crate::component::{Has, Hooked};
use crate::event::{EventWriter, HasEvent};
use crate::query::{Query, QueryData, QueryFilter, ReadData};
use crate::raw_world::RawWorld;
use crate::resource::{HasResource, Unshared};

/// A parameter that the threads of a system marked `par` can share.
///
/// # Safety
/// Several threads may call `share` of one item at once, each with an output of its own, and use
/// the returned items.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shared by the threads of a system that is marked `par`",
    label = "the threads cannot share it",
    note = "beside its entities such a system reads `Res<T>` of a resource that is neither `#[resource(shared)]` nor `#[resource(main_thread)]`, `Query<..>` that only reads, and `HookState<T>`; it writes `EventWriter<E>`, `ParCommands<{W}>`, whose `spawn` returns no id, and `Accumulator<R>`, which adds to a resource in the order of the entities; for anything else, leave `par` out"
)]
pub unsafe trait SharedParam<W: RawWorld>: SystemParam<W> {
    /// An empty output for a run of entities.
    fn output() -> SharedOutput {
        SharedOutput::NONE
    }
    /// The parameter, borrowed for one call of the system's function.
    fn share<'a>(item: &'a Self::Item<'_>, output: &'a mut SharedOutput) -> Self::Item<'a>;
    /// Takes over what was written for the next run of entities, in the order of their slots.
    fn join(_item: &mut Self::Item<'_>, _output: &mut SharedOutput) {}
}

/// The output of a [`SharedParam`] for a run of entities; empty for parameters that only read.
///
/// It is one type for all parameters, so that a parameter that cannot be shared gives one compile
/// error, and not a second one for the type of its output.
pub struct SharedOutput(Option<Box<dyn Any + Send>>);

impl SharedOutput {
    /// The output of a parameter that only reads.
    pub const NONE: Self = Self(None);

    pub(crate) fn of<T: Any + Send>(output: T) -> Self {
        Self(Some(Box::new(output)))
    }

    /// The outputs of the parts of a parameter.
    pub fn list<const N: usize>(outputs: [Self; N]) -> Self {
        Self::of(outputs)
    }

    /// The outputs that [`list`](Self::list) was given.
    ///
    /// # Panics
    /// If the output was not made by `list` with as many outputs.
    pub fn list_mut<const N: usize>(&mut self) -> &mut [Self; N] {
        self.get_mut()
    }

    pub(crate) fn get_mut<T: Any>(&mut self) -> &mut T {
        let output = self.0.as_deref_mut().and_then(|output| (output as &mut dyn Any).downcast_mut());
        output.expect("the output was made by the same parameter")
    }
}

/// The item of a [`SharedParam`] while several threads use it.
pub struct SharedParamItem<T>(T);

// SAFETY: by the contract of `new` the value is used by several threads only for
// `SharedParam::share`, which they may call at once.
unsafe impl<T> Sync for SharedParamItem<T> {}

impl<T> SharedParamItem<T> {
    /// Wraps an item, to be shared between threads.
    ///
    /// # Safety
    /// The value is the item of a [`SharedParam`], and the reference that [`get`](Self::get)
    /// returns is used only for [`SharedParam::share`].
    #[inline(always)]
    pub const unsafe fn new(item: T) -> Self {
        Self(item)
    }

    /// The parameter.
    #[inline(always)]
    pub const fn get(&self) -> &T {
        &self.0
    }

    /// The parameter, for [`SharedParam::join`].
    #[inline(always)]
    pub const fn get_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: `Res` is a shared reference to a resource, which is `Sync` by the contract of
// `HasResource`, since it is none of the main thread, as the assertion says.
unsafe impl<R: Unshared + 'static, W: HasResource<R>> SharedParam<W> for Res<'_, R> {
    fn share<'a>(item: &'a Res<'_, R>, _: &'a mut SharedOutput) -> Res<'a, R> {
        const { assert!(!W::MAIN_THREAD, "a resource of the main thread is not shared between threads") };
        *item
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: the query gives ids and shared references to components, which are `Sync` by the contract
// of `Has`.
unsafe impl<W: RawWorld, D: QueryData<W> + ReadData, F: QueryFilter<W>> SharedParam<W> for Query<'_, D, F> {
    fn share<'a>(item: &'a Query<'_, D, F>, _: &'a mut SharedOutput) -> Query<'a, D, F> {
        item.copy()
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: the item is a shared reference to a state that is `Sync`.
unsafe impl<T: Hooked, W: Has<T>> SharedParam<W> for HookState<'_, T> {
    fn share<'a>(item: &'a HookState<'_, T>, _: &'a mut SharedOutput) -> HookState<'a, T> {
        item.reborrow()
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: `share` does not use the item; the writer writes to the output.
unsafe impl<E: 'static, W: HasEvent<E>> SharedParam<W> for EventWriter<'_, E> {
    fn output() -> SharedOutput {
        // SAFETY: `E` is an event of `W`.
        SharedOutput::of(unsafe { EventBuffer::<E>::new() })
    }
    fn share<'a>(_: &'a EventWriter<'_, E>, output: &'a mut SharedOutput) -> EventWriter<'a, E> {
        output.get_mut::<EventBuffer<E>>().writer()
    }
    fn join(item: &mut EventWriter<'_, E>, output: &mut SharedOutput) {
        item.append(output.get_mut::<EventBuffer<E>>().events_mut());
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: `share` does not use the item; the commands are written to the output.
unsafe impl<V: SameWorld<W>, W: RawWorld> SharedParam<W> for ParCommands<'_, V> {
    fn output() -> SharedOutput {
        SharedOutput::of(CommandQueue::<V>::new())
    }
    fn share<'a>(_: &'a ParCommands<'_, V>, output: &'a mut SharedOutput) -> ParCommands<'a, V> {
        ParCommands::apart(output.get_mut())
    }
    fn join(item: &mut ParCommands<'_, V>, output: &mut SharedOutput) {
        item.join(output.get_mut());
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: `share` does not use the item; the values are written to the output.
unsafe impl<R: Accumulate + 'static, W: HasResource<R>> SharedParam<W> for Accumulator<'_, R> {
    fn output() -> SharedOutput {
        SharedOutput::of(PendingValues::<R>::default())
    }
    fn share<'a>(_: &'a Accumulator<'_, R>, output: &'a mut SharedOutput) -> Accumulator<'a, R> {
        Accumulator::apart(output.get_mut())
    }
    fn join(item: &mut Accumulator<'_, R>, output: &mut SharedOutput) {
        item.join(output.get_mut());
    }
}
