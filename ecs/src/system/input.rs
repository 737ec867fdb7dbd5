//! [`In`]: the input of a system, which its schedule, another system or the caller gives at each run.
//!
//! A system with inputs implements [`InputSystem`] and not [`System`], so that no schedule runs it without them. The types of this file
//! make a [`System`] of it: [`Called`] takes the input from the text of a schedule, [`Pipe`] from the output of another system, and
//! [`Fed`] from a value that is stored in a schedule built at run time.
#![expect(unsafe_code, reason = "forwards the contract of systems to systems with an input")]

use core::any::TypeId;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use super::state::StateParts;
use super::{
    Finish, HasNews, Runnable, System, SystemPhase, SystemState, no_news, no_state, nothing_to_finish,
};
use crate::base::access::{Access, ParamInfo, ParamKind, is_sound};
use crate::base::message::Message;
use crate::base::tick::Ticks;
use crate::check::check_place;
use crate::entity::regrouped::Regrouped;
use crate::persist::state::SavedState;
use crate::raw_world::{RawWorld, WorldCell};

/// System parameter: an input, which the system gets anew at each run.
///
/// Inputs are the first parameters of a system. A schedule gives them as arguments, `spawn(3)` or `if above(10)`, or takes them from the
/// output of another system, `count | report`. The arguments are constant expressions of the types of the inputs, and are evaluated
/// by the compiler. [`run_with`](crate::World::run_with) gives them from code.
///
/// A system with one `In<T>` takes a `T`, and a system with several takes a tuple. A system that runs once for each entity gets a clone
/// of the input for each.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component)] struct Goblin;
/// #[derive(Resource, Default)] struct Report(Vec<String>);
///
/// world! {
///     struct Game { components { Goblin } resources { Report } }
///     schedule tick {
///         spawn(3) if fewer_than(5);
///         count | report;
///     }
/// }
///
/// #[system(Game)]
/// fn spawn(number: In<usize>, mut commands: Commands<Game>) {
///     (0..*number).for_each(|_| _ = commands.spawn(Goblin));
/// }
///
/// #[system(Game)]
/// fn fewer_than(limit: In<usize>, goblins: Query<&Goblin>) -> bool {
///     goblins.len() < *limit
/// }
///
/// #[system(Game)]
/// fn count(goblins: Query<&Goblin>) -> usize {
///     goblins.len()
/// }
///
/// #[system(Game)]
/// fn report(In(number): In<usize>, mut report: ResMut<Report>) {
///     report.0.push(format!("{number} goblins"));
/// }
///
/// let mut game = Game::default();
/// (0..3).for_each(|_| game.tick());
/// assert_eq!(game.resource::<Report>().0, ["3 goblins", "6 goblins", "6 goblins"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct In<T>(pub T);

impl<T> Deref for In<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for In<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// A function with [inputs](In) that can run on world `W`. Implemented by `#[system]`.
///
/// # Safety
/// The contract of [`System`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system of world `{W}` that takes an input",
    label = "not a system of `{W}` that takes an input",
    note = "arguments, and the output of the system before `|`, are given to the first parameters of a system: `fn name(value: In<u32>, ..)`"
)]
pub unsafe trait InputSystem<W: RawWorld>: 'static {
    /// `T` for one parameter `In<T>`, a tuple for several.
    type In;
    /// The name of the function.
    const NAME: &'static str;
    /// The parameters of the function.
    const PARAMS: &'static [ParamInfo];
    /// Whether a parameter is the world itself.
    const EXCLUSIVE: bool = false;
    #[doc(hidden)]
    const UNCHECKED: Option<(&'static str, &'static [ParamInfo])> = None;
    #[doc(hidden)]
    const FINISHES: bool = false;
    #[doc(hidden)]
    const MAY_SKIP: bool = false;
    /// The return type of the function.
    type Out;
    #[doc(hidden)]
    const SETUP: Option<fn(&mut W)> = None;
    #[doc(hidden)]
    const EXIT: Option<fn(&mut W)> = None;
    #[doc(hidden)]
    const INIT: fn(&mut W) -> SystemState = no_state;
    /// Calls [`SystemParam::finish`](super::SystemParam::finish) of each parameter.
    ///
    /// # Safety
    /// The contract of [`System::FINISH`].
    #[doc(hidden)]
    const FINISH: Finish<W> = nothing_to_finish;
    /// Whether the system has something to react to that it has not seen.
    ///
    /// # Safety
    /// The contract of [`System::HAS_NEWS`].
    #[doc(hidden)]
    const HAS_NEWS: HasNews<W> = no_news;
    #[doc(hidden)]
    const REACTS: bool = false;
    #[doc(hidden)]
    /// Runs the function.
    ///
    /// # Safety
    /// The contract of [`System::run`].
    unsafe fn run(
        world: WorldCell<'_, W>,
        state: &mut SystemState,
        input: <Self as InputSystem<W>>::In,
    ) -> <Self as InputSystem<W>>::Out;
}

/// The [input](In) of a system, whatever its world. Implemented by `#[system]`; a schedule of parts knows no world.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system that takes an input",
    label = "not a system that takes an input",
    note = "arguments are given to the first parameters of a system: `fn name(value: In<u32>, ..)`",
    note = "in a schedule of parts the types of the inputs cannot depend on the world"
)]
pub trait SystemInput {
    /// `T` for one parameter `In<T>`, a tuple for several.
    type In;
}

/// A value that a system runs with for each entity: a clone for each.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is the input of a system that runs once for each entity, and is not `Clone`",
    label = "not `Clone`",
    note = "add `#[derive(Clone)]` to `{Self}`, or take a `Query` in place of the components of one entity"
)]
pub trait EachInput: Clone {}
#[diagnostic::do_not_recommend]
impl<T: Clone> EachInput for T {}

/// The input of a system for one entity.
#[inline(always)]
pub fn each_input<T: EachInput>(input: &T) -> In<T> {
    In(input.clone())
}

/// A system with arguments in the text of a schedule. Implemented by `world!` and `parts!` for a type of their own for each call.
pub trait Arguments<W: RawWorld>: 'static {
    /// The system. It has no bound, since the compiler would report a system without an input here and where its input is named.
    type System: 'static;
    /// The input of the system.
    type In;
    /// The arguments.
    const VALUES: Self::In;
}

/// A system with [`Arguments`] as a system without an input.
pub struct Called<A>(PhantomData<fn() -> A>);

// SAFETY: all items but the input are those of the system, whose implementation has the contract of `System`.
#[diagnostic::do_not_recommend]
unsafe impl<W: RawWorld, A> System<W> for Called<A>
where
    A: Arguments<W, System: InputSystem<W, In = <A as Arguments<W>>::In>>,
{
    const NAME: &'static str = <A::System as InputSystem<W>>::NAME;
    const PARAMS: &'static [ParamInfo] = <A::System as InputSystem<W>>::PARAMS;
    const EXCLUSIVE: bool = <A::System as InputSystem<W>>::EXCLUSIVE;
    const UNCHECKED: Option<(&'static str, &'static [ParamInfo])> = <A::System as InputSystem<W>>::UNCHECKED;
    const FINISHES: bool = <A::System as InputSystem<W>>::FINISHES;
    const MAY_SKIP: bool = <A::System as InputSystem<W>>::MAY_SKIP;
    type Out = <A::System as InputSystem<W>>::Out;
    const SETUP: Option<fn(&mut W)> = <A::System as InputSystem<W>>::SETUP;
    const EXIT: Option<fn(&mut W)> = <A::System as InputSystem<W>>::EXIT;
    const INIT: fn(&mut W) -> SystemState = <A::System as InputSystem<W>>::INIT;
    const FINISH: Finish<W> = <A::System as InputSystem<W>>::FINISH;
    const HAS_NEWS: HasNews<W> = <A::System as InputSystem<W>>::HAS_NEWS;
    const REACTS: bool = <A::System as InputSystem<W>>::REACTS;
    unsafe fn run(world: WorldCell<'_, W>, state: &mut SystemState) -> Self::Out {
        // SAFETY: this function has the contract of `<A::System as InputSystem<W>>::run`.
        unsafe { <A::System as InputSystem<W>>::run(world, state, A::VALUES) }
    }
}

/// A system with an input as a system that never runs, for checks of its parameters.
pub struct Unfed<S>(PhantomData<fn() -> S>);

// SAFETY: the parameters are those of `S`, and `run` does nothing with the world.
#[diagnostic::do_not_recommend]
unsafe impl<W: RawWorld, S: InputSystem<W>> System<W> for Unfed<S> {
    const NAME: &'static str = S::NAME;
    const PARAMS: &'static [ParamInfo] = S::PARAMS;
    const EXCLUSIVE: bool = S::EXCLUSIVE;
    const UNCHECKED: Option<(&'static str, &'static [ParamInfo])> = S::UNCHECKED;
    const MAY_SKIP: bool = S::MAY_SKIP;
    type Out = S::Out;
    const REACTS: bool = S::REACTS;
    unsafe fn run(_: WorldCell<'_, W>, _: &mut SystemState) -> S::Out {
        unreachable!("a schedule names the system with its arguments")
    }
}

/// The types that a system may return in front of `|`: the input of the system behind it.
#[diagnostic::on_unimplemented(
    message = "the system before `|` returns `{Self}`, and the system after it takes `{T}`",
    label = "returns `{Self}`",
    note = "the output of a system is the input of the next one: both have the same type; several parameters `In<T>` take a tuple"
)]
pub trait Feeds<T> {
    #[doc(hidden)]
    fn feed(self) -> T;
}

impl<T> Feeds<T> for T {
    #[inline(always)]
    fn feed(self) -> T {
        self
    }
}

/// Two systems as one: the output of `A` is the [input](In) of `B`. A schedule writes it as `a | b`.
///
/// It has one place in a schedule, and takes one turn: as if one function had the parameters of both. The commands and the events of
/// both take effect where those of one system would, and changes that `B` makes in a run do not count as new for `A` in the next one. If
/// one of the two takes the whole world, the other one takes the whole world, too, or nothing of it.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::system::Pipe;
///
/// world! { struct Game { resources { Score = Score(20) } } }
///
/// #[derive(Resource)]
/// struct Score(u32);
/// #[system(Game)]
/// fn score(score: Res<Score>) -> u32 { score.0 }
/// #[system(Game)]
/// fn half(value: In<u32>) -> u32 { *value / 2 }
///
/// let mut game = Game::new();
/// assert_eq!(game.run::<Pipe<score, half>>(), 10);
/// assert_eq!(game.run_with::<half>(8), 4);
/// ```
pub struct Pipe<A, B>(PhantomData<fn() -> (A, B)>);

/// The states of the two systems of a [`Pipe`].
#[derive(Clone)]
struct PipeState {
    first: SystemState,
    second: SystemState,
}

impl StateParts for PipeState {
    fn saved_states<'s>(&'s self, each: &mut dyn FnMut(&'s dyn SavedState)) {
        self.first.saved_states(each);
        self.second.saved_states(each);
    }
    fn saved_states_mut<'s>(&'s mut self, each: &mut dyn FnMut(&'s mut dyn SavedState)) {
        self.first.saved_states_mut(each);
        self.second.saved_states_mut(each);
    }
    fn regrouped(&mut self, moved: &Regrouped) {
        self.first.regrouped(moved);
        self.second.regrouped(moved);
    }
}

/// Checks the two systems of a [`Pipe`] against each other: `params` are those of the pipe, one for each system.
#[track_caller]
pub const fn check_pipe(params: &[ParamInfo]) {
    let [first, second] = params else { return };
    // the state of a system that takes the world is outside of it during a run, and may only have `Local`s
    let (whole, other) = if first.access.exclusive { (first, second) } else { (second, first) };
    if whole.access.exclusive && !other.access.exclusive && !other.access.is_none() {
        let text = Message::new().text("system ").quoted(whole.name).text(" takes the whole world, and ");
        let text = text
            .quoted(other.name)
            .text(" in the same pipe takes parts of it: pass the value in a resource, ");
        text.text("or let both take the world").panic();
    }
}

/// Refuses a system of a [`Pipe`] that a parameter can skip: it would have no output.
#[track_caller]
const fn check_skipping(system: &str, may_skip: bool) {
    if may_skip {
        let text = Message::new()
            .text("system ")
            .quoted(system)
            .text(" is in a pipe, and a parameter such as `Single` may skip it: ");
        text.text("take `Option<Single<..>>` or a `Query`").panic();
    }
}

/// Refuses a system of a [`Pipe`] that runs in the background: its output comes later.
#[track_caller]
const fn check_background(system: &str, in_background: bool) {
    if in_background {
        Message::new()
            .text("system ")
            .quoted(system)
            .text(" runs in the background, and cannot be in a pipe")
            .panic();
    }
}

/// The access of a system in a pipe: that of all of its parameters, without filters.
const fn whole(name: &'static str, params: &[ParamInfo]) -> ParamInfo {
    let (mut access, mut i) = (Access::NONE, 0);
    while i < params.len() {
        access = access.and(params[i].access);
        i += 1;
    }
    ParamInfo { name, kind: ParamKind::Other, access: access.without_filters() }
}

impl<A, B> Pipe<A, B> {
    fn setup<W: RawWorld>(world: &mut W)
    where
        A: System<W>,
        B: InputSystem<W>,
    {
        for setup in [A::SETUP, B::SETUP].into_iter().flatten() {
            setup(world);
        }
    }

    fn exit<W: RawWorld>(world: &mut W)
    where
        A: System<W>,
        B: InputSystem<W>,
    {
        for exit in [B::EXIT, A::EXIT].into_iter().flatten() {
            exit(world);
        }
    }

    fn init<W: RawWorld>(world: &mut W) -> SystemState
    where
        A: System<W>,
        B: InputSystem<W>,
    {
        SystemState::new(PipeState { first: A::INIT(world), second: B::INIT(world) })
    }

    /// # Safety
    /// The contract of [`System::FINISH`] of both.
    unsafe fn finish<W: RawWorld>(
        world: WorldCell<'_, W>,
        state: &mut SystemState,
        phase: &mut SystemPhase<'_, W>,
    ) where
        A: System<W>,
        B: InputSystem<W>,
    {
        if let Some(PipeState { first, second }) = state.find_mut() {
            // SAFETY: the caller makes the promise of both, and these are their states.
            unsafe {
                (A::FINISH)(world, first, phase);
                (B::FINISH)(world, second, phase);
            }
        }
    }

    /// # Safety
    /// The contract of [`System::HAS_NEWS`] of both.
    unsafe fn has_news<W: RawWorld>(world: WorldCell<'_, W>, state: &mut SystemState) -> bool
    where
        A: System<W>,
        B: InputSystem<W>,
    {
        let Some(PipeState { first, second }) = state.find_mut() else { return false };
        // SAFETY: the caller makes the promise of both, and these are their states.
        unsafe { (A::HAS_NEWS)(world, first) || (B::HAS_NEWS)(world, second) }
    }
}

/// The name of a [`Pipe`].
struct PipeName<A, B>(PhantomData<fn() -> (A, B)>);

impl<A, B> PipeName<A, B> {
    const fn text<W: RawWorld>() -> Message
    where
        A: System<W>,
        B: InputSystem<W>,
    {
        Message::new().text(A::NAME).text(" | ").text(B::NAME)
    }
}

// SAFETY: `run` and `FINISH` call those of both systems, one after the other, and `PARAMS` has the accesses of both. `RUNNABLE` refuses
// systems whose own parameters clash, and a system beside one that takes the whole world, whose states are outside of the world.
unsafe impl<W: RawWorld, A: System<W>, B: InputSystem<W>> System<W> for Pipe<A, B>
where
    A::Out: Feeds<B::In>,
{
    const NAME: &'static str = const { &PipeName::<A, B>::text::<W>() }.as_str();
    const PARAMS: &'static [ParamInfo] = &[whole(A::NAME, A::PARAMS), whole(B::NAME, B::PARAMS)];
    const EXCLUSIVE: bool = A::EXCLUSIVE || B::EXCLUSIVE;
    const UNCHECKED: Option<(&'static str, &'static [ParamInfo])> = {
        check_place::<W>(A::UNCHECKED);
        check_place::<W>(B::UNCHECKED);
        check_skipping(A::NAME, A::MAY_SKIP);
        check_skipping(B::NAME, B::MAY_SKIP);
        check_background(A::NAME, A::RUNS_IF_REFUSED);
        None
    };
    const FINISHES: bool = A::FINISHES || B::FINISHES;
    type Out = B::Out;
    const SETUP: Option<fn(&mut W)> =
        if A::SETUP.is_some() || B::SETUP.is_some() { Some(Self::setup::<W>) } else { None };
    const EXIT: Option<fn(&mut W)> =
        if A::EXIT.is_some() || B::EXIT.is_some() { Some(Self::exit::<W>) } else { None };
    const INIT: fn(&mut W) -> SystemState = Self::init::<W>;
    const FINISH: Finish<W> = Self::finish::<W>;
    const HAS_NEWS: HasNews<W> = Self::has_news::<W>;
    const REACTS: bool = A::REACTS || B::REACTS;
    unsafe fn run(world: WorldCell<'_, W>, state: &mut SystemState) -> B::Out {
        let PipeState { first, second } = state.get_mut();
        // SAFETY: the caller makes the promise of both, which run one after the other; these are their states.
        unsafe {
            let output = (A::RUNNABLE.run)(world, first);
            B::run(world, second, output.feed())
        }
    }
    const RUNNABLE: Runnable<W, B::Out> = {
        check_pipe(<Self as System<W>>::PARAMS);
        check_skipping(A::NAME, A::MAY_SKIP);
        check_skipping(B::NAME, B::MAY_SKIP);
        check_background(A::NAME, A::RUNS_IF_REFUSED);
        let is_sound = is_sound(A::PARAMS) && is_sound(B::PARAMS);
        Runnable {
            id: TypeId::of::<Self>(),
            params: <Self as System<W>>::PARAMS,
            exclusive: <Self as System<W>>::EXCLUSIVE,
            finishes: <Self as System<W>>::FINISHES,
            may_skip: false,
            runs_if_refused: false,
            of_state: false,
            skip_inner: None,
            setup: <Self as System<W>>::SETUP,
            exit: <Self as System<W>>::EXIT,
            init: <Self as System<W>>::INIT,
            run: if is_sound { <Self as System<W>>::run } else { super::refuse::<W, B::Out> },
            finish: <Self as System<W>>::FINISH,
            has_news: <Self as System<W>>::HAS_NEWS,
        }
    };
}

/// Runs a system once with an input, in a world that no one else uses. The state is not part of the world.
///
/// # Panics
/// If the parameters of the system clash.
pub(crate) fn run_alone<W: RawWorld, S: InputSystem<W>>(
    world: &mut W,
    state: &mut SystemState,
    ticks: &Ticks,
    input: S::In,
) -> S::Out {
    assert!(const { is_sound(S::PARAMS) }, "the parameters of this system clash");
    // SAFETY: the world is borrowed mutably, so that no other borrow of its data is alive, and the state is outside of it. The
    // parameters do not clash. A state of another type makes `run` panic.
    unsafe { S::run(WorldCell::new(world).at(ticks), state, input) }
}

/// The system `S` with a value that its state has, for schedules that are built at run time.
pub(crate) struct Fed<S>(PhantomData<fn() -> S>);

/// The state of a [`Fed`] system: the input, and the state of the system.
#[derive(Clone)]
struct FedState<T> {
    input: T,
    state: SystemState,
}

impl<T> StateParts for FedState<T> {}

impl<S> Fed<S> {
    /// The system, which must be sound by itself, and its state with an input.
    pub(crate) fn runnable<W: RawWorld>() -> Runnable<W, S::Out>
    where
        S: InputSystem<W, In: Clone + Send + Sync>,
    {
        Runnable {
            id: TypeId::of::<S>(),
            params: S::PARAMS,
            exclusive: S::EXCLUSIVE,
            finishes: S::FINISHES,
            may_skip: S::MAY_SKIP,
            runs_if_refused: false,
            of_state: false,
            skip_inner: None,
            setup: S::SETUP,
            exit: S::EXIT,
            init: no_state,
            run: if is_sound(S::PARAMS) { Self::run::<W> } else { super::refuse::<W, S::Out> },
            finish: Self::finish::<W>,
            has_news: no_news,
        }
    }

    /// The state of the system at a place, with its input.
    pub(crate) fn state<W: RawWorld>(input: S::In, world: &mut W) -> SystemState
    where
        S: InputSystem<W, In: Clone + Send + Sync + 'static>,
    {
        SystemState::new(FedState { input, state: S::INIT(world) })
    }

    /// # Safety
    /// The contract of [`System::run`].
    unsafe fn run<W: RawWorld>(world: WorldCell<'_, W>, state: &mut SystemState) -> S::Out
    where
        S: InputSystem<W, In: Clone + Send + Sync>,
    {
        let FedState { input, state: inner } = state.get_mut::<FedState<S::In>>();
        // SAFETY: the caller makes the promise of `S::run`, and this is its state.
        let output = unsafe { S::run(world, inner, input.clone()) };
        if inner.take_skipped() {
            state.skip();
        }
        output
    }

    /// # Safety
    /// The contract of [`System::FINISH`].
    unsafe fn finish<W: RawWorld>(
        world: WorldCell<'_, W>,
        state: &mut SystemState,
        phase: &mut SystemPhase<'_, W>,
    ) where
        S: InputSystem<W, In: Clone + Send + Sync>,
    {
        if let Some(FedState { state, .. }) = state.find_mut::<FedState<S::In>>() {
            // SAFETY: the caller makes the promise of `S::FINISH`, and this is its state.
            unsafe { (S::FINISH)(world, state, phase) };
        }
    }
}
