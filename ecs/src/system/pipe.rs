//! [`Pipe`]: two systems as one, the second of which takes the output of the first as its
//! [input](super::In).
//!
//! The description of a pipe names those of its two systems: [`SystemDesc`] makes, finishes and
//! asks their states.
#![expect(unsafe_code, reason = "forwards the contract of systems to two systems")]

use core::marker::PhantomData;

use super::state::StateParts;
use super::{InputSystem, System, SystemDesc, SystemKind, SystemState};
use crate::base::access::{ParamInfo, ParamKind};
use crate::base::message::{Message, message};
use crate::check::check_system;
use crate::entity::regrouped::Regrouped;
use crate::persist::state::SavedState;
use crate::raw_world::{RawWorld, WorldCell};

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

/// Two systems as one: the output of `A` is the [input](super::In) of `B`. A schedule writes it as
/// `a | b`.
///
/// It has one place in a schedule, and takes one turn: as if one function had the parameters of
/// both. The commands and the events of both take effect where those of one system would, and
/// changes that `B` makes in a run do not count as new for `A` in the next one. If one of the two
/// takes the whole world, the other one takes the whole world, too, or nothing of it.
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
pub(super) struct PipeState {
    pub(super) first: SystemState,
    pub(super) second: SystemState,
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

/// Checks the two systems of a [`Pipe`], each by itself and against the other. A system that is no
/// pipe passes.
#[track_caller]
pub const fn check_pipe<W: RawWorld>(system: SystemDesc<W>) {
    check_parts(&system);
}

/// [`check_pipe`], of a system by reference.
#[track_caller]
pub(super) const fn check_parts<W: RawWorld>(system: &SystemDesc<W>) {
    let SystemKind::Pipe([first, second]) = system.kind else { return };
    // the state of a system that takes the world is outside of it during a run, and may only have
    // `Local`s
    let (whole, other) = if first.is_exclusive() { (first, second) } else { (second, first) };
    if whole.is_exclusive() && !other.is_exclusive() && !other.access().without_filters().is_none() {
        let text = message!("system " quoted(whole.name) " takes the whole world, and ");
        message!(
            text => quoted(other.name)
            " in the same pipe takes parts of it: pass the value in a resource, or let both take the world"
        )
        .panic();
    }
    check_in_pipe(first);
    check_in_pipe(second);
}

/// Checks a system of a [`Pipe`] by itself: it has an output in each run, so that no parameter can
/// skip it, and it does not run in the background.
#[track_caller]
const fn check_in_pipe<W: RawWorld>(system: &SystemDesc<W>) {
    if system.is_generic {
        check_system(system);
    }
    if system.may_skip {
        message!(
            "system " quoted(system.name)
            " is in a pipe, and a parameter such as `Single` may skip it: take `Option<Single<..>>` or a `Query`"
        ).panic();
    }
    if system.runs_if_refused() {
        message!("system " quoted(system.name) " runs in the background, and cannot be in a pipe").panic();
    }
}

/// The access of a system in a pipe: that of all of its parameters, without filters.
const fn whole<W: RawWorld>(system: &SystemDesc<W>) -> ParamInfo {
    let access = system.access().without_filters();
    ParamInfo { name: system.name, kind: ParamKind::Other, access }
}

/// The name of a [`Pipe`].
struct PipeName<A, B>(PhantomData<fn() -> (A, B)>);

impl<A, B> PipeName<A, B> {
    const fn text<W: RawWorld>() -> Message
    where
        A: System<W>,
        B: InputSystem<W>,
    {
        Message::new().text(A::DESC.name).text(" | ").text(B::DESC.name)
    }
}

// SAFETY: `run` calls that of both systems, one after the other, and the parameters have the
// accesses of both. `RUNNABLE` refuses systems whose own parameters clash, and a system beside one
// that takes the whole world, whose states are outside of the world.
unsafe impl<W: RawWorld, A: System<W>, B: InputSystem<W>> System<W> for Pipe<A, B>
where
    A::Out: Feeds<B::In>,
{
    const DESC: SystemDesc<W> = SystemDesc {
        kind: SystemKind::Pipe(const { [&A::DESC, &B::DESC] }),
        finishes: A::DESC.finishes || B::DESC.finishes,
        ..SystemDesc::new(
            const { &PipeName::<A, B>::text::<W>() }.as_str(),
            const { &[whole(&A::DESC), whole(&B::DESC)] },
        )
    };
    type Out = B::Out;
    unsafe fn run(world: WorldCell<'_, W>, state: &mut SystemState) -> B::Out {
        let PipeState { first, second } = state.get_mut();
        // SAFETY: the caller makes the promise of both, which run one after the other; these are
        // their states.
        unsafe { B::run(world, second, A::run(world, first).feed()) }
    }
}
