//! [`In`]: the input of a system, which its schedule, another system or the caller gives at each
//! run.
//!
//! A system with inputs implements [`InputSystem`] and not [`System`], so that no schedule runs it
//! without them. Three types make a [`System`] of it, with the same [`SystemDesc`]: [`Called`]
//! takes the input from the text of a schedule, [`Fed`] from a value that is stored in a schedule
//! built at run time, and [`Pipe`](super::Pipe) from the output of another system.
#![expect(unsafe_code, reason = "forwards the contract of systems to systems with an input")]

use core::any::TypeId;
use core::marker::PhantomData;

use super::state::StateParts;
use super::{Finish, Runnable, System, SystemDesc, SystemKind, SystemPhase, SystemState};
use crate::base::tick::Ticks;
use crate::raw_world::{RawWorld, WorldCell};

/// System parameter: an input, which the system gets anew at each run.
///
/// Inputs are the first parameters of a system. A schedule gives them as arguments, `spawn(3)` or
/// `if above(10)`, or takes them from the output of another system, `count | report`. The arguments
/// are constant expressions of the types of the inputs, and are evaluated by the compiler.
/// [`run_with`](crate::World::run_with) gives them from code.
///
/// A system with one `In<T>` takes a `T`, and a system with several takes a tuple. A system that
/// runs once for each entity gets a clone of the input for each.
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

deref!([T] In<T> => T, |this| &this.0);

deref_mut!([T] In<T>, |this| &mut this.0);

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
    /// All that is known about the system.
    const DESC: SystemDesc<W>;
    /// The return type of the function.
    type Out;
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

/// The [input](In) of a system, whatever its world. Implemented by `#[system]`; a schedule of parts
/// knows no world.
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

/// The input of a per-entity system, which gets a clone of it for each entity.
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

/// A system with arguments in the text of a schedule. Implemented by `world!` and `parts!` for a
/// type of their own for each call.
pub trait Arguments<W: RawWorld>: 'static {
    /// The system. It has no bound, since the compiler would report a system without an input here
    /// and where its input is named.
    type System: 'static;
    /// The input of the system.
    type In;
    /// The arguments.
    const VALUES: Self::In;
}

/// Makes a [`System`] of a system with an input, which gets its [`Arguments`] from the text of the
/// schedule.
pub struct Called<A>(PhantomData<fn() -> A>);

// SAFETY: the description and the function are those of the system, whose implementation has the
// contract of `System`.
#[diagnostic::do_not_recommend]
unsafe impl<W: RawWorld, A> System<W> for Called<A>
where
    A: Arguments<W, System: InputSystem<W, In = <A as Arguments<W>>::In>>,
{
    const DESC: SystemDesc<W> = <A::System as InputSystem<W>>::DESC;
    type Out = <A::System as InputSystem<W>>::Out;
    unsafe fn run(world: WorldCell<'_, W>, state: &mut SystemState) -> Self::Out {
        // SAFETY: this function has the contract of `<A::System as InputSystem<W>>::run`.
        unsafe { <A::System as InputSystem<W>>::run(world, state, A::VALUES) }
    }
}

/// Makes a [`System`] of a system with an input, for code that reads its description only. It never
/// runs.
pub struct Unfed<S>(PhantomData<fn() -> S>);

// SAFETY: the description is that of `S`, and `run` does nothing with the world.
#[diagnostic::do_not_recommend]
unsafe impl<W: RawWorld, S: InputSystem<W>> System<W> for Unfed<S> {
    const DESC: SystemDesc<W> = S::DESC;
    type Out = S::Out;
    unsafe fn run(_: WorldCell<'_, W>, _: &mut SystemState) -> S::Out {
        unreachable!("a schedule names the system with its arguments")
    }
}

/// Runs a system once with an input, in a world that no one else uses. The state is not part of the
/// world.
///
/// # Panics
/// If the parameters of the system clash.
pub(crate) fn run_alone<W: RawWorld, S: InputSystem<W>>(
    world: &mut W,
    state: &mut SystemState,
    ticks: &Ticks,
    input: S::In,
) -> S::Out {
    assert!(const { S::DESC.is_sound() }, "the parameters of this system clash");
    // SAFETY: the world is borrowed mutably, so that no other borrow of its data is alive, and the
    // state is outside of it. The parameters do not clash. A state of another type makes `run`
    // panic.
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
        let desc = const {
            let (kind, finish) = (SystemKind::Function, Some(Self::finish::<W> as Finish<W>));
            &SystemDesc { kind, init: None, finish, has_news: None, ..S::DESC }
        };
        // SAFETY: `run` calls `S::run`, and has its contract for the state that `state` makes.
        unsafe { Runnable::new(TypeId::of::<S>(), desc, Self::run::<W>) }
    }

    /// The state of the system at a place, with its input.
    pub(crate) fn state<W: RawWorld>(input: S::In, world: &mut W) -> SystemState
    where
        S: InputSystem<W, In: Clone + Send + Sync + 'static>,
    {
        SystemState::new(FedState { input, state: S::DESC.new_state(world) })
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
    /// The contract of `SystemDesc::finish`.
    unsafe fn finish<W: RawWorld>(
        world: WorldCell<'_, W>,
        state: &mut SystemState,
        phase: &mut SystemPhase<'_, W>,
    ) where
        S: InputSystem<W, In: Clone + Send + Sync>,
    {
        if let Some(FedState { state, .. }) = state.find_mut::<FedState<S::In>>() {
            // SAFETY: the caller makes the promise for `S`, and this is its state.
            unsafe { S::DESC.finish(world, state, phase) };
        }
    }
}
