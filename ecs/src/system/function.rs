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
/// `call` and `finish` access only the parts of the world that `PARAMS` declares, except for
/// `finish` in the phases in which no one else accesses the world.
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
    #[doc(hidden)]
    type States: Clone + Send + Sync + 'static;
    #[doc(hidden)]
    fn init(world: &mut W) -> Self::States;
    #[doc(hidden)]
    /// Calls the closure.
    ///
    /// # Safety
    /// During the call no one else accesses the parts of the world that `PARAMS` declares, and
    /// `PARAMS` do not clash.
    unsafe fn call(&mut self, world: WorldCell<'_, W>, states: &mut Self::States) -> Self::Out;
    /// Whether [`is_ready`](Self::is_ready) can be false.
    #[doc(hidden)]
    const MAY_SKIP: bool;
    #[doc(hidden)]
    /// Whether all parameters are ready: see [`SystemParam::is_ready`].
    ///
    /// # Safety
    /// No one accesses the parts of the world that `PARAMS` declares.
    unsafe fn is_ready(world: WorldCell<'_, W>, states: &mut Self::States) -> bool;
    #[doc(hidden)]
    /// Calls [`SystemParam::finish`] of each parameter.
    ///
    /// # Safety
    /// The caller makes the promise of [`SystemParam::finish`] for each parameter.
    unsafe fn finish(world: WorldCell<'_, W>, states: &mut Self::States, phase: &mut SystemPhase<'_, W>);
}

macro_rules! functions {
    // The states are a tuple of tuples of at most eight elements: the standard library implements
    // `Clone` for up to twelve.
    ($([$($param:ident $state:ident $name:literal)*])*) => {
        // SAFETY: `PARAMS` lists the access of each parameter, and by the contract of `SystemParam`
        // an item accesses nothing else.
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
            type States = ($(($($param::State,)*),)*);
            #[allow(clippy::unused_unit, unused_variables)]
            fn init(world: &mut W) -> Self::States {
                ($(($($param::init(world),)*),)*)
            }
            #[allow(clippy::too_many_arguments, non_snake_case, unused_variables)]
            unsafe fn call(&mut self, world: WorldCell<'_, W>, states: &mut Self::States) -> Out {
                fn call<Out, $($($param),*),*>(mut f: impl FnMut($($($param),*),*) -> Out, $($($state: $param),*),*) -> Out {
                    f($($($state),*),*)
                }
                let ($(($($state,)*),)*) = states;
                // SAFETY: the caller promises that no one else accesses the parts that `PARAMS`
                // declares, and that they do not clash.
                $($(let $state = unsafe { $param::get(world, $state) };)*)*
                call(self, $($($state),*),*)
            }
            const MAY_SKIP: bool = false $($(|| $param::MAY_SKIP)*)*;
            #[allow(non_snake_case, unused_variables)]
            unsafe fn is_ready(world: WorldCell<'_, W>, states: &mut Self::States) -> bool {
                let ($(($($state,)*),)*) = states;
                // SAFETY: the caller makes the promise of `SystemParam::is_ready` for each
                // parameter.
                true $($(&& unsafe { $param::is_ready(world, $state) })*)*
            }
            #[allow(non_snake_case, unused_variables)]
            unsafe fn finish(world: WorldCell<'_, W>, states: &mut Self::States, phase: &mut SystemPhase<'_, W>) {
                let ($(($($state,)*),)*) = states;
                // SAFETY: the caller makes the promise of `SystemParam::finish` for each parameter.
                $($(unsafe { $param::finish(world, $state, phase) };)*)*
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

unsafe fn run<W: RawWorld, M, F: SystemFn<W, M, Out: Outcome<true>>>(
    world: WorldCell<'_, W>,
    state: &mut SystemState,
) -> F::Out {
    let ClosureState { function, states } = state.get_mut::<ClosureState<F, F::States>>();
    // SAFETY: the caller makes the promise of `System::run`.
    if F::MAY_SKIP && !unsafe { F::is_ready(world, states) } {
        state.skip();
        return <F::Out as Outcome<true>>::skipped();
    }
    // SAFETY: the caller makes the promise of `System::run`, and a `Runnable` calls this only if
    // `PARAMS` do not clash.
    unsafe { function.call(world, states) }
}

unsafe fn finish<W: RawWorld, M, F: SystemFn<W, M>>(
    world: WorldCell<'_, W>,
    state: &mut SystemState,
    phase: &mut SystemPhase<'_, W>,
) {
    if let Some(ClosureState { states, .. }) = state.find_mut::<ClosureState<F, F::States>>() {
        // SAFETY: the caller makes the promise of `SystemDesc::finish`, which is that of
        // `SystemParam::finish` for each parameter.
        unsafe { F::finish(world, states, phase) };
    }
}

/// A closure as a system. Its state is made by [`state`].
///
/// # Panics
/// If two of its parameters clash.
pub(crate) fn runnable<W: RawWorld, M, F: SystemFn<W, M, Out: Outcome<true>>>() -> Runnable<W, F::Out> {
    let desc = const {
        let (may_skip, finish) = (F::MAY_SKIP, Some(finish::<W, M, F> as Finish<W>));
        &SystemDesc { may_skip, finishes: true, finish, ..SystemDesc::new("", F::PARAMS) }
    };
    assert!(desc.is_sound(), "the parameters of this system clash");
    // SAFETY: `run` and `finish` have the contract of a system for the state that `state` makes.
    unsafe { Runnable::new(TypeId::of::<F>(), desc, run::<W, M, F>) }
}

/// The state of a closure at a place in a schedule.
pub(crate) fn state<W: RawWorld, M, F: SystemFn<W, M>>(function: F, world: &mut W) -> SystemState {
    SystemState::new(ClosureState { function, states: F::init(world) })
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
