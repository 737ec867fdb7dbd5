//! [`SystemFn`]: closures as systems, for schedules that are built at run time.
//!
//! The accesses come from the types of the closure's parameters. The parameters have no names, so
//! messages name them by their position. Whether two parameters clash is tested when the closure is
//! added.
#![expect(unsafe_code, reason = "parameters are made from a world whose accesses were checked")]

use core::any::TypeId;

use super::state::{StateParts, UnsavedState};
use super::{Finish, ParamInfo, ParamKind, Runnable, SystemDesc, SystemParam, SystemPhase, SystemState};
use crate::base::access::Access;
use crate::raw_world::{RawWorld, WorldCell};
use crate::schedule::Outcome;

/// A closure with up to sixteen parameters that are [`SystemParam`]s of world `W`.
///
/// `Marker` is a function type with the types of the parameters, by which the compiler
/// distinguishes the implementations. The captured values must be `Clone`, since a schedule may be
/// cloned.
///
/// # Safety
/// `PARAMS` has the access of each of the `Params`.
#[diagnostic::on_unimplemented(
    message = "this is not a closure that can be a system of world `{W}`",
    label = "cannot be a system of `{W}`",
    note = "it takes what a system takes that runs once, up to sixteen parameters with their types written out, and keeps none of them: `|query: Query<&Position>, clock: Res<Clock>| ..`; `add_exclusive` takes `|world: &mut {W}| ..`",
    note = "what it captures is `Clone`, `Send`, `Sync` and `'static`"
)]
pub unsafe trait SystemFn<W: RawWorld, Marker>: Clone + Send + Sync + 'static {
    /// The parameters of the closure.
    const PARAMS: &'static [ParamInfo];
    /// The return type of the closure.
    type Out;
    /// The parameters, in tuples of at most eight: the standard library implements `Clone` for
    /// tuples of up to twelve.
    #[doc(hidden)]
    type Params: SystemParam<W>;
    /// Calls the closure.
    #[doc(hidden)]
    fn call(&mut self, items: <Self::Params as SystemParam<W>>::Item<'_>) -> Self::Out;
}

macro_rules! functions {
    ($([$($param:ident $state:ident $name:literal)*])*) => {
        // SAFETY: `PARAMS` lists the access of each parameter.
        unsafe impl<W: RawWorld, F, Out, $($($param: SystemParam<W>),*),*> SystemFn<W, fn($($($param),*),*) -> Out> for F
        where
            F: Clone + Send + Sync + 'static,
            // the first bound determines the types of the parameters, the second says that the
            // closure takes them for any lifetime
            for<'a> &'a mut F: FnMut($($($param),*),*) -> Out + FnMut($($($param::Item<'_>),*),*) -> Out,
        {
            const PARAMS: &'static [ParamInfo] =
                &[$($(ParamInfo { name: $name, kind: ParamKind::Other, access: $param::ACCESS }),*),*];
            type Out = Out;
            type Params = ($(($($param,)*),)*);
            #[allow(clippy::too_many_arguments, non_snake_case, unused_variables)]
            fn call(&mut self, items: <Self::Params as SystemParam<W>>::Item<'_>) -> Out {
                fn call<Out, $($($param),*),*>(mut f: impl FnMut($($($param),*),*) -> Out, $($($state: $param),*),*) -> Out {
                    f($($($state),*),*)
                }
                let ($(($($state,)*),)*) = items;
                call(self, $($($state),*),*)
            }
        }
    };
}

functions!();
functions!([A a "1st"]);
functions!([A a "1st" B b "2nd"]);
functions!([A a "1st" B b "2nd" C c "3rd"]);
functions!([A a "1st" B b "2nd" C c "3rd" D d "4th"]);
functions!([A a "1st" B b "2nd" C c "3rd" D d "4th" E e "5th"]);
functions!([A a "1st" B b "2nd" C c "3rd" D d "4th" E e "5th" G g "6th"]);
functions!([A a "1st" B b "2nd" C c "3rd" D d "4th" E e "5th" G g "6th" H h "7th"]);
macro_rules! longer_functions {
    ($eight:tt [$($param:ident $state:ident $name:literal)*]) => {
        functions!($eight);
        longer_functions!(@ $eight [] $($param $state $name)*);
    };
    (@ $eight:tt [$($done:tt)*] $param:ident $state:ident $name:literal $($more:tt)*) => {
        functions!($eight [$($done)* $param $state $name]);
        longer_functions!(@ $eight [$($done)* $param $state $name] $($more)*);
    };
    (@ $eight:tt [$($done:tt)*]) => {};
}
longer_functions!([A a "1st" B b "2nd" C c "3rd" D d "4th" E e "5th" G g "6th" H h "7th" I i "8th"]
    [J j "9th" K k "10th" L l "11th" M m "12th" N n "13th" O o "14th" P p "15th" Q q "16th"]);

/// The state of a closure as a system: the closure, and the states of its parameters.
#[derive(Clone)]
struct ClosureState<F, S> {
    function: F,
    states: S,
}

impl<F, S> StateParts for ClosureState<F, S> {}

type StatesOf<W, M, F> = <<F as SystemFn<W, M>>::Params as SystemParam<W>>::State;

unsafe fn run<W: RawWorld, M, F: SystemFn<W, M, Out: Outcome<true>>>(
    world: WorldCell<'_, W>,
    state: &mut SystemState,
) -> F::Out {
    let ClosureState { function, states } = state.get_mut::<ClosureState<F, StatesOf<W, M, F>>>();
    // SAFETY: the caller makes the promise of `System::run`.
    if F::Params::MAY_SKIP && !unsafe { F::Params::is_ready(world, states) } {
        state.skip();
        return <F::Out as Outcome<true>>::skipped();
    }
    // SAFETY: the caller makes the promise of `System::run`, and a `Runnable` calls this only if
    // `PARAMS` do not clash.
    function.call(unsafe { F::Params::get(world, states) })
}

unsafe fn finish<W: RawWorld, M, F: SystemFn<W, M>>(
    world: WorldCell<'_, W>,
    state: &mut SystemState,
    phase: &mut SystemPhase<'_, W>,
) {
    if let Some(ClosureState { states, .. }) = state.find_mut::<ClosureState<F, StatesOf<W, M, F>>>() {
        // SAFETY: the caller makes the promise of `SystemDesc::finish`.
        unsafe { F::Params::finish(world, states, phase) };
    }
}

/// A closure as a system. Its state is made by [`state`].
///
/// # Panics
/// If two of its parameters clash.
pub(crate) fn runnable<W: RawWorld, M, F: SystemFn<W, M, Out: Outcome<true>>>() -> Runnable<W, F::Out> {
    let desc = const {
        let (may_skip, finish) = (F::Params::MAY_SKIP, Some(finish::<W, M, F> as Finish<W>));
        &SystemDesc { may_skip, finishes: true, finish, ..SystemDesc::new("", F::PARAMS) }
    };
    assert!(desc.is_sound(), "the parameters of this system clash");
    // SAFETY: `run` and `finish` have the contract of a system for the state that `state` makes.
    unsafe { Runnable::new(TypeId::of::<F>(), desc, run::<W, M, F>) }
}

/// The state of a closure at a place in a schedule.
pub(crate) fn state<W: RawWorld, M, F: SystemFn<W, M>>(function: F, world: &mut W) -> SystemState {
    SystemState::new(ClosureState { function, states: F::Params::init(world) })
}

/// A closure that takes the whole world, as a system. Its state is the closure.
pub(crate) fn exclusive<W: RawWorld, Out, F>() -> Runnable<W, Out>
where
    F: FnMut(&mut W) -> Out + Clone + Send + Sync + 'static,
{
    unsafe fn run<W: RawWorld, Out, F: FnMut(&mut W) -> Out + 'static>(
        world: WorldCell<'_, W>,
        state: &mut SystemState,
    ) -> Out {
        let UnsavedState(function) = state.get_mut::<UnsavedState<F>>();
        // SAFETY: by the contract of `System::run` for an exclusive system, no one else accesses
        // the world, and the state is not part of it.
        function(unsafe { world.world_mut() })
    }
    let desc = const {
        let world = &[ParamInfo { name: "1st", kind: ParamKind::WholeWorld, access: Access::EXCLUSIVE }];
        &SystemDesc::new("", world)
    };
    // SAFETY: `run` has the contract of an exclusive system.
    unsafe { Runnable::new(TypeId::of::<F>(), desc, run::<W, Out, F>) }
}
