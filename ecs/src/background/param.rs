//! [`BackgroundParam`]: the parameters of systems that run in the background.
//!
//! Such a system reads a copy of the world, and writes to outputs, which its parameters take over
//! when the run is over. The outputs are those by which the parameters of systems marked `par`
//! write on several threads.

use super::Cancelled;
use crate::command::SameWorld;
use crate::command::par::ParCommands;
use crate::component::{Component, Has, Indexed};
use crate::event::{EventWriter, HasEvent};
use crate::query::{Query, QueryData, QueryFilter, ReadData};
use crate::raw_world::RawWorld;
use crate::relation::{HasRelation, Related, Relation};
use crate::resource::{HasResource, Unshared};
use crate::system::local::LocalValue;
use crate::system::saved::LocalOf;
use crate::system::shared_param::{SharedOutput, SharedParam};
use crate::system::{Accumulate, Accumulator, Local, Lookup, Res, SystemParam, Tick};

/// A parameter of a system that runs in the background.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a system that runs in the background",
    label = "not in the background",
    note = "such a system reads a copy of the world: `Query<..>` that only reads, `Res<T>` of a resource that is neither `#[resource(shared)]` nor `#[resource(main_thread)]`, `Lookup<T>`, `Related<R>`, `Tick` and `Cancelled`, and per entity `&T`, `Option<&T>`, `Entity`, `Is<T>` and filters; it writes `EventWriter<E>`, `ParCommands<{W}>`, whose `spawn` returns no id, `Accumulator<R>`, and its own `Local<T>`; events and removals are read by a system before it, which keeps them in a resource"
)]
pub trait BackgroundParam<W: RawWorld>: SystemParam<W> {
    /// The output that the function writes to, made when a run begins. `item` is the parameter in
    /// the world itself.
    fn output(_item: &Self::Item<'_>) -> SharedOutput {
        SharedOutput::NONE
    }
    /// The parameter for one call of the function. `item` is the parameter in the copy of the
    /// world.
    fn share<'a>(item: &'a mut Self::Item<'_>, output: &'a mut SharedOutput) -> Self::Item<'a>;
    /// Takes over what the function has written. `item` is the parameter in the world itself.
    fn join(_item: &mut Self::Item<'_>, _output: &mut SharedOutput) {}
}

/// Implements the trait for a parameter that threads can share, as a system marked `par` uses it.
macro_rules! shared {
    ($ty:ty, $($generics:tt)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> BackgroundParam<W> for $ty {
            fn output(_: &Self::Item<'_>) -> SharedOutput {
                <Self as SharedParam<W>>::output()
            }
            fn share<'a>(item: &'a mut Self::Item<'_>, output: &'a mut SharedOutput) -> Self::Item<'a> {
                <Self as SharedParam<W>>::share(item, output)
            }
            fn join(item: &mut Self::Item<'_>, output: &mut SharedOutput) {
                <Self as SharedParam<W>>::join(item, output);
            }
        }
    };
}

shared!(Query<'_, D, F>, W: RawWorld, D: QueryData<W> + ReadData, F: QueryFilter<W>);
shared!(Res<'_, R>, R: Unshared + 'static, W: HasResource<R>);
shared!(EventWriter<'_, E>, E: 'static, W: HasEvent<E>);
shared!(ParCommands<'_, V>, V: SameWorld<W>, W: RawWorld);
shared!(Accumulator<'_, R>, R: Accumulate + 'static, W: HasResource<R>);

/// Implements the trait for a parameter that only reads.
macro_rules! read {
    ($ty:ty, $($generics:tt)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> BackgroundParam<W> for $ty {
            fn share<'a>(item: &'a mut Self::Item<'_>, _: &'a mut SharedOutput) -> Self::Item<'a> {
                <Self as SystemParam<W>>::lend(item)
            }
        }
    };
}

read!(Lookup<'_, T>, T: Component + Indexed, W: Has<T>);
read!(Related<'_, R>, R: Relation, W: HasRelation<R>);
read!(Tick, W: RawWorld);
read!(Cancelled, W: RawWorld);

/// The function works on a clone of the value, which becomes the value when the run is over.
#[diagnostic::do_not_recommend]
impl<T: LocalValue + LocalOf<W>, W: RawWorld> BackgroundParam<W> for Local<'_, T> {
    fn output(item: &Local<'_, T>) -> SharedOutput {
        SharedOutput::of(T::clone(item))
    }
    fn share<'a>(_: &'a mut Local<'_, T>, output: &'a mut SharedOutput) -> Local<'a, T> {
        Local::new(output.get_mut())
    }
    fn join(item: &mut Local<'_, T>, output: &mut SharedOutput) {
        core::mem::swap(&mut **item, output.get_mut());
    }
}
