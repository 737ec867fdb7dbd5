//! The trait of systems that run in the background, and what their places in a schedule do: [`run`]
//! begins runs of the function, and lets the parameters take over its output. The documentation for
//! users is in the module above.
#![expect(
    unsafe_code,
    reason = "runs the function with a copy of the world, and joins its outputs to the world"
)]

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::run::{BackgroundRun, Input, Output, RunFunction, RunState};
use super::{Cancelled, JobPanicked};
use crate::base::access::{Access, ParamInfo, ParamKind};
use crate::base::component_set::ComponentSet;
use crate::base::tick::Ticks;
use crate::query::passed_over::PassedColumnsList;
use crate::query::{Filter, ReadData};
use crate::raw_world::{RawWorld, SnapshotWorld, WorldCell, WorldFields};
use crate::schedule::Parallelism;
use crate::schedule::output::{Failure, IntoFailure, Outcome};
use crate::schedule::states;
use crate::system::each::each;
use crate::system::local::LocalState;
use crate::system::saved::LocalOf;
use crate::system::shared_param::SharedOutput;
use crate::system::{
    Local, StateParts, System, SystemDesc, SystemKind, SystemParam, SystemPhase, SystemState,
};

/// A world in which systems can run in the background: it is `Clone`, and may be sent to another
/// thread.
#[diagnostic::on_unimplemented(
    message = "no system of world `{Self}` can run in the background, on a copy of the world",
    label = "not `Clone`, or bound to one thread",
    note = "write `#[derive(Clone)]` before the `struct` in the `world!` of `{Self}`; its components, resources and events have to be `Clone`, too",
    note = "a world with a resource of the main thread has no systems in the background: keep the value outside of the world"
)]
pub trait BackgroundWorld: RawWorld {
    #[doc(hidden)]
    const CODE: WorldCode<Self>;
}

/// The functions that need a world which is `Clone` and may be sent. They are pointers, so that a
/// world without systems in the background needs to be neither, and a world that is not gives one
/// compile error, where the system names it.
pub struct WorldCode<W: RawWorld> {
    new_state: fn(&mut W, SystemState) -> SystemState,
    snapshot: fn(&mut W) -> Arc<Input<W>>,
    copy: fn(&W) -> W,
    work: Work<W>,
}

/// The type of [`BackgroundRun::work`].
type Work<W> = fn(&mut BackgroundRun<W>, RunFunction<W>, &mut dyn FnMut() -> Vec<SharedOutput>);

#[diagnostic::do_not_recommend]
impl<W: SnapshotWorld + Send + Sync> BackgroundWorld for W
where
    BackgroundRun<W>: LocalOf<W>,
{
    const CODE: WorldCode<Self> = WorldCode {
        new_state: |world, function| {
            let run = RunState(<Local<'_, BackgroundRun<W>> as SystemParam<W>>::init(world));
            SystemState::new(BackgroundState { function, run, refused: false, once: false })
        },
        snapshot: Input::of,
        copy: W::clone,
        work: BackgroundRun::work,
    };
}

/// The type that a system in the background may return: `()`, or `Result<(), E>` in a
/// `schedule .. -> Result`.
#[diagnostic::on_unimplemented(
    message = "a system that runs in the background returns nothing or `Result<(), E>`, and this one returns `{Self}`",
    label = "the value would be dropped",
    note = "write values through `EventWriter<E>`, `ParCommands<W>` or `Accumulator<R>`"
)]
pub trait BackgroundOutput: Outcome<true> + 'static {
    /// The output of the system at its place in the schedule.
    #[doc(hidden)]
    type AtPlace;
    #[doc(hidden)]
    fn at_place(result: Result<(), Failure>) -> Self::AtPlace;
}

impl BackgroundOutput for () {
    type AtPlace = ();
    fn at_place(_: Result<(), Failure>) {}
}

impl<E: IntoFailure + 'static> BackgroundOutput for Result<(), E> {
    type AtPlace = Result<(), Failure>;
    fn at_place(result: Result<(), Failure>) -> Result<(), Failure> {
        result
    }
}

/// A system that runs in the background. Implemented by `#[system(Game, background(..))]`.
///
/// # Safety
/// `call`, `outputs` and `join` access only the parts of the world that `FUNCTION` declares. `call`
/// is called only if these do not clash.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system of world `{W}` that runs in the background",
    label = "does not run in the background",
    note = "such a system is a function with `#[system({W}, background(ticks = 3))]` or `#[system({W}, background(when_done))]`"
)]
pub unsafe trait BackgroundSystem<W: RawWorld>: System<W> {
    /// The functions of the world.
    #[doc(hidden)]
    const WORLD: WorldCode<W>;
    /// The number of runs of the schedule after which the output arrives; `None` if it arrives when
    /// the function has ended.
    const DELAY: Option<u32>;
    /// The return type of the function.
    #[doc(hidden)]
    type Returned: BackgroundOutput;
    /// The description of the function.
    const FUNCTION: SystemDesc<W>;
    /// The output of each parameter.
    ///
    /// # Safety
    /// The world is borrowed mutably, and no one else accesses it. The state was made by
    /// `FUNCTION`, and is not part of the world.
    #[doc(hidden)]
    unsafe fn outputs(world: WorldCell<'_, W>, state: &mut SystemState) -> Vec<SharedOutput>;
    /// Calls the function.
    ///
    /// # Safety
    /// As for `outputs`, and the parameters of the function do not clash.
    #[doc(hidden)]
    unsafe fn call(
        world: WorldCell<'_, W>,
        state: &mut SystemState,
        outputs: &mut [SharedOutput],
    ) -> Self::Returned;
    /// Lets each parameter take over its output.
    ///
    /// # Safety
    /// As for `outputs`.
    #[doc(hidden)]
    unsafe fn join(world: WorldCell<'_, W>, state: &mut SystemState, outputs: &mut [SharedOutput]);
}

/// The description of a system in the background at its place, without its parameter there, which
/// is [`param_at_place`].
pub const fn desc_at_place<W: RawWorld, S: BackgroundSystem<W>>(
    params: &'static [ParamInfo],
) -> SystemDesc<W> {
    let function = const { &S::FUNCTION };
    SystemDesc {
        kind: SystemKind::Background(function),
        is_generic: function.is_generic,
        finishes: true,
        setup: function.setup,
        exit: function.exit,
        init: Some(init::<W, S>),
        finish: Some(finish::<W, S>),
        ..SystemDesc::new(function.name, params)
    }
}

/// The one parameter at the place of a system in the background: it takes the whole world, and
/// declares the access of the function's parameters, for checks and graphs. Commands are applied
/// there.
pub const fn param_at_place<W: RawWorld>(function: &SystemDesc<W>) -> ParamInfo {
    let access = Access { deferred: true, ..Access::EXCLUSIVE }.and(function.access());
    ParamInfo {
        name: "world",
        kind: ParamKind::WholeWorld,
        access: Access { alias: ComponentSet::EMPTY, ..access },
    }
}

/// The state of a system in the background at a place.
struct BackgroundState<W: RawWorld> {
    /// The states of the parameters.
    function: SystemState,
    run: RunState<W>,
    /// Whether the condition of the system is false in this run of the schedule.
    refused: bool,
    /// Whether the system has no place in a schedule, and runs once.
    once: bool,
}

clone!([W: RawWorld] BackgroundState<W> { function, run, refused, once });

#[cfg(feature = "serde")]
impl<W: RawWorld + Send + Sync> StateParts for BackgroundState<W> {
    fn saved_states<'s>(&'s self, each: &mut dyn FnMut(&'s dyn crate::persist::state::SavedState)) {
        self.function.saved_states(each);
        self.run.saved_states(each);
    }
    fn saved_states_mut<'s>(
        &'s mut self,
        each: &mut dyn FnMut(&'s mut dyn crate::persist::state::SavedState),
    ) {
        self.function.saved_states_mut(each);
        self.run.saved_states_mut(each);
    }
}

#[cfg(not(feature = "serde"))]
impl<W: RawWorld> StateParts for BackgroundState<W> {}

#[cfg(not(feature = "serde"))]
impl<W> StateParts for RunState<W> {}

/// Makes the state of a system in the background at a place.
fn init<W: RawWorld, S: BackgroundSystem<W>>(world: &mut W) -> SystemState {
    let function = S::FUNCTION.new_state(world);
    (S::WORLD.new_state)(world, function)
}

/// The work of a system in the background in a phase.
///
/// # Safety
/// The contract of `SystemDesc::finish`.
unsafe fn finish<W: RawWorld, S: BackgroundSystem<W>>(
    world: WorldCell<'_, W>,
    state: &mut SystemState,
    phase: &mut SystemPhase<'_, W>,
) {
    let Some(state) = state.find_mut::<BackgroundState<W>>() else { return };
    match phase {
        SystemPhase::Refused => return state.refused = true,
        SystemPhase::Open(place) => state.once = place.is_none(),
        _ => {}
    }
    // SAFETY: this function has the same contract, and the state is that of the function.
    unsafe { S::FUNCTION.finish(world, &mut state.function, phase) };
}

/// The [`System::run`] of a system in the background: begins a run, or takes over the output of the
/// run that is under way.
///
/// # Safety
/// The contract of [`System::run`] for an exclusive system.
pub unsafe fn run<W: RawWorld, S: BackgroundSystem<W>>(
    world: WorldCell<'_, W>,
    state: &mut SystemState,
) -> <S::Returned as BackgroundOutput>::AtPlace {
    let state = state.get_mut::<BackgroundState<W>>();
    let refused = core::mem::take(&mut state.refused);
    let BackgroundState { function, run: RunState(LocalState { value: run, .. }), once, .. } = state;
    // SAFETY: no one else accesses the world by the contract of an exclusive system, and the states
    // are outside of it.
    let outputs = |function: &mut SystemState| unsafe { S::outputs(world, function) };
    let begins = !run.is_running() && !refused;
    if begins {
        let tick = world.this_run();
        // SAFETY: no one else accesses the world by the contract of an exclusive system.
        run.start((S::WORLD.snapshot)(unsafe { world.world_mut() }), tick, S::DELAY);
    }
    let output = if *once {
        Some(Ok(None))
    } else {
        (S::WORLD.work)(run, call::<W, S>, &mut || outputs(function));
        if begins { None } else { run.poll(S::DELAY) }
    };
    let Some(output) = output else { return S::Returned::at_place(Ok(())) };
    let input = run.end();
    let mut output = match (output, input) {
        (Ok(Some(output)), _) => output,
        (Ok(None), Some((input, ticks))) => call::<W, S>(&input.world, ticks, outputs(function)),
        (Ok(None), None) => return S::Returned::at_place(Ok(())),
        (Err(JobPanicked { message }), _) => std::panic::resume_unwind(Box::new(message)),
    };
    if output.result.is_ok() {
        // SAFETY: no one else accesses the world by the contract of an exclusive system, and the
        // states are outside of it.
        unsafe { S::join(world, function, &mut output.parameters) };
    }
    S::Returned::at_place(output.result)
}

/// The loop of a per-entity system in the background, whose elements only read.
///
/// # Safety
/// The contract of [`each`].
#[inline]
pub unsafe fn each_that_reads<W: RawWorld, D: ReadData, F: Filter, P: PassedColumnsList>(
    world: WorldCell<'_, W>,
    columns: impl Fn() -> (D::Columns, F::Columns),
    f: impl FnMut(D::Item<'_>),
) {
    // SAFETY: the contract is the same.
    unsafe { each::<W, D, F, P>(world, columns, f) };
}

/// Calls the function of a system with a copy of a world.
fn call<W: RawWorld, S: BackgroundSystem<W>>(
    input: &W,
    [last_run, this_run]: [u64; 2],
    mut parameters: Vec<SharedOutput>,
) -> Output {
    const { assert!(S::FUNCTION.is_sound(), "the parameters of this system clash") };
    let mut copy = (S::WORLD.copy)(input);
    copy.entities_mut().set_division(Parallelism::Never.division());
    let ticks = Ticks { last_run, this_run };
    let mut state = S::FUNCTION.new_state(&mut copy);
    let world = WorldCell::new(&mut copy).at(&ticks);
    // SAFETY: the copy belongs to this function, the state is outside of it, and the parameters do
    // not clash, as the assertion says.
    let returned = unsafe { S::call(world, &mut state, &mut parameters) };
    Output { parameters, result: returned.into_result() }
}

/// System parameter: tells a system that runs in the background whether its output is still wanted.
// SAFETY: the item is a flag, and gives access to nothing.
unsafe impl<W: RawWorld> SystemParam<W> for Cancelled {
    const ACCESS: Access = Access::NONE;
    type State = ();
    type Item<'w> = Self;
    fn init(_: &mut W) {}
    unsafe fn get(_: WorldCell<'_, W>, (): &mut ()) -> Self {
        Self::current()
    }
    fn lend(item: &mut Self) -> Self {
        item.clone()
    }
}

/// Methods of every world for its systems that run in the background.
pub trait BackgroundSystems: RawWorld {
    /// Ends the runs of a system that are under way in the schedules of the world, and returns
    /// their number. Their output does not arrive. The next run of the schedule begins another one:
    /// to prevent this, give the system a condition, or [switch it off](crate::Schedules::enable).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::background::Cancelled;
    /// # world! { #[derive(Clone)] struct Game {} schedule tick { think } }
    /// #[system(Game, background(ticks = 5))]
    /// fn think(cancelled: Cancelled) {
    ///     while !cancelled.is_cancelled() {
    ///         std::thread::yield_now();
    ///     }
    /// }
    ///
    /// let mut game = Game::new();
    /// game.tick();
    /// assert!(game.is_in_background::<think>());
    /// assert_eq!(game.cancel_background::<think>(), 1);
    /// assert!(!game.is_in_background::<think>());
    /// ```
    fn cancel_background<S: BackgroundSystem<Self>>(&mut self) -> usize
    // `cancel_background::<find_path>()`
    where
        Self: BackgroundWorld,
    {
        let mut ended = 0;
        states::each_state_of::<Self, S>(self, &mut |state| {
            let state = state.find_mut::<BackgroundState<Self>>();
            ended += usize::from(state.is_some_and(|state| state.run.0.value.cancel()));
        });
        ended
    }

    /// Whether a run of a system is under way in a schedule of the world.
    fn is_in_background<S: BackgroundSystem<Self>>(&mut self) -> bool
    // `is_in_background::<find_path>()`
    where
        Self: BackgroundWorld,
    {
        let mut any = false;
        states::each_state_of::<Self, S>(self, &mut |state| {
            let state = state.find_mut::<BackgroundState<Self>>();
            any |= state.is_some_and(|state| state.run.0.value.is_running());
        });
        any
    }
}

impl<W: RawWorld> BackgroundSystems for W {}
