//! What stands in a schedule: a system, and the condition on which it runs.
#![expect(unsafe_code, reason = "systems are called by those who keep clashing ones apart")]

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::any::TypeId;
use core::error::Error;
use core::mem::transmute;

#[cfg(feature = "std")]
use super::panics::asked::Asked;
use crate::base::tick::Ticks;
use crate::system::access::Access;
use crate::system::{
    Finish, HasNews, ParamInfo, Runnable, SystemPhase, SystemState, no_news, no_state, nothing_to_finish,
};
use crate::world::{World, WorldCell};

/// Why a fallible system failed.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// What a system in a schedule may return; `Fails` says whether the schedule takes failures.
///
/// # Safety
/// `NOTHING` is true for `()` only: a system with `NOTHING` is called as a function that returns nothing.
#[diagnostic::on_unimplemented(
    message = "this system returns `{Self}`, and its schedule does not take that",
    label = "returns `{Self}`",
    note = "a schedule takes systems that return nothing; `schedule NAME -> Result {{ .. }}` takes those that return `Result<(), E>`, too, and stops at the first error",
    note = "a system that returns something else is run by itself: `world.run::<system>()`"
)]
pub unsafe trait Outcome<const FAILS: bool>: Sized {
    /// Whether the type is `()`.
    #[doc(hidden)]
    const NOTHING: bool = false;
    #[doc(hidden)]
    fn into_result(self) -> Result<(), Failure>;
}

// SAFETY: this is `()`.
unsafe impl<const FAILS: bool> Outcome<FAILS> for () {
    const NOTHING: bool = true;
    #[inline(always)]
    fn into_result(self) -> Result<(), Failure> {
        Ok(())
    }
}

// SAFETY: `NOTHING` is false.
unsafe impl<E: Into<Failure>> Outcome<true> for Result<(), E> {
    #[inline(always)]
    fn into_result(self) -> Result<(), Failure> {
        self.map_err(Into::into)
    }
}

/// What a condition may return: `bool`.
#[diagnostic::on_unimplemented(
    message = "a condition answers with a `bool`, and this system returns `{Self}`",
    label = "returns `{Self}`, not `bool`",
    note = "a system behind `if` returns `bool`: `fn name(..) -> bool`"
)]
pub trait ConditionOutput: Sized {
    #[doc(hidden)]
    fn into_bool(self) -> bool;
}

impl ConditionOutput for bool {
    #[inline(always)]
    fn into_bool(self) -> bool {
        self
    }
}

/// A system whose result's type is forgotten: not to be called as it is.
type ErasedRun<W> = unsafe fn(WorldCell<'_, W>, &mut SystemState);
/// Calls a forgotten system, and makes `R` of its result.
type TypedRun<W, R> = unsafe fn(ErasedRun<W>, WorldCell<'_, W>, &mut SystemState) -> R;

/// # Safety
/// `run` is a function that returns `Out`, and may be called.
unsafe fn recall<W: World, Out>(run: ErasedRun<W>, world: WorldCell<'_, W>, state: &mut SystemState) -> Out {
    // SAFETY: the caller's promise: only the type that it returns was forgotten.
    let run = unsafe { transmute::<ErasedRun<W>, unsafe fn(WorldCell<'_, W>, &mut SystemState) -> Out>(run) };
    // SAFETY: the caller's promise.
    unsafe { run(world, state) }
}

unsafe fn fallible<W: World, const FAILS: bool, Out: Outcome<FAILS>>(
    run: ErasedRun<W>,
    world: WorldCell<'_, W>,
    state: &mut SystemState,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe { recall::<W, Out>(run, world, state) }.into_result()
}

unsafe fn answer<W: World, Out: ConditionOutput>(
    run: ErasedRun<W>,
    world: WorldCell<'_, W>,
    state: &mut SystemState,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { recall::<W, Out>(run, world, state) }.into_bool()
}

const fn forget<W: World, Out>(run: unsafe fn(WorldCell<'_, W>, &mut SystemState) -> Out) -> ErasedRun<W> {
    // SAFETY: addresses of functions are alike; it is not called as what it is not.
    unsafe { transmute(run) }
}

/// What is known about the system at a place.
///
/// # Invariants
/// Made of a [`Runnable`], whose invariants hold.
pub(crate) struct Task<W: World> {
    pub(crate) id: TypeId,
    /// As the schedule spells it.
    pub(crate) name: &'static str,
    pub(crate) params: &'static [ParamInfo],
    pub(crate) exclusive: bool,
    pub(crate) finishes: bool,
    pub(crate) setup: Option<fn(&mut W)>,
    pub(crate) exit: Option<fn(&mut W)>,
    pub(crate) init: fn(&mut W) -> SystemState,
    pub(crate) finish: Finish<W>,
    pub(crate) has_news: HasNews<W>,
}

impl<W: World> Clone for Task<W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: World> Copy for Task<W> {}

impl<W: World> Task<W> {
    const fn of<Out>(name: &'static str, system: &Runnable<W, Out>) -> Self {
        Self {
            id: system.id,
            name,
            params: system.params,
            exclusive: system.exclusive,
            finishes: system.finishes,
            setup: system.setup,
            exit: system.exit,
            init: system.init,
            finish: system.finish,
            has_news: system.has_news,
        }
    }

    /// What all parameters touch.
    pub(crate) const fn access(&self) -> Access {
        if self.params.is_empty() {
            return Access::NONE;
        }
        let (mut access, mut i) = (self.params[0].access, 1);
        while i < self.params.len() {
            access = access.and(self.params[i].access);
            i += 1;
        }
        access
    }
}

/// On what a system depends: systems that return `bool`, by their number among those that the node asks.
#[derive(Debug)]
pub enum Condition {
    /// Nothing.
    Always,
    /// A system's answer.
    Ask(usize),
    /// The opposite.
    Not(&'static Condition),
    /// Both; the second is asked if the first holds.
    And(&'static Condition, &'static Condition),
    /// Either; the second is asked if the first does not hold.
    Or(&'static Condition, &'static Condition),
}

/// A system that is asked whether another one runs.
///
/// # Invariants
/// The second function calls the first as what it is.
pub struct ConditionSystem<W: World> {
    pub(crate) task: Task<W>,
    run: ErasedRun<W>,
    answer: TypedRun<W, bool>,
}

impl<W: World> ConditionSystem<W> {
    /// Of a system that returns `bool`.
    pub const fn new<Out: ConditionOutput>(name: &'static str, system: Runnable<W, Out>) -> Self {
        Self { task: Task::of(name, &system), run: forget(system.run), answer: answer::<W, Out> }
    }

    /// # Safety
    /// Nobody else accesses the world in a way that clashes with the system's parameters; the state is not part of the
    /// world if the system is exclusive.
    unsafe fn ask(&self, world: WorldCell<'_, W>, state: &mut SystemState, tick: u64) -> bool {
        let ticks = state.begin(tick);
        #[cfg(feature = "std")]
        let asked = Asked(self.task.name);
        // SAFETY: the parameters are sound together; the caller's promise; and the invariant.
        let answer = unsafe { (self.answer)(self.run, world.at(&ticks), state) };
        #[cfg(feature = "std")]
        core::mem::forget(asked);
        state.end(tick);
        answer
    }

    /// Asks the system, or tells it that it is skipped; the answer is false then.
    ///
    /// # Safety
    /// As for `ask`.
    pub(super) unsafe fn turn(
        &self,
        turn: Turn,
        world: WorldCell<'_, W>,
        state: &mut SystemState,
        tick: u64,
    ) -> bool {
        match turn {
            // SAFETY: the caller's promise.
            Turn::Ask => unsafe { self.ask(world, state, tick) },
            Turn::Skip => {
                // SAFETY: as above.
                unsafe { (self.task.finish)(world, state, &mut SystemPhase::Skipped) };
                false
            }
        }
    }
}

/// What happens to a system of a condition.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Turn {
    /// It is asked.
    Ask,
    /// The answer does not depend on it.
    Skip,
}

/// A step of a schedule.
///
/// # Invariants
/// The parameters of each system are sound together; `fallible`, if there is one, calls `run` as what it is, and else it
/// returns nothing.
pub struct Node<W: World> {
    pub(crate) task: Task<W>,
    run: ErasedRun<W>,
    fallible: Option<TypedRun<W, Result<(), Failure>>>,
    pub(crate) asked: &'static [ConditionSystem<W>],
    condition: &'static Condition,
    /// The number of its stage, as written.
    pub(crate) stage: usize,
}

/// A system in a stage that runs always, and does not fail: what most are.
pub const fn node<W: World, Out: Outcome<false>>(
    stage: usize,
    name: &'static str,
    system: Runnable<W, Out>,
) -> Node<W> {
    Node::new::<false, Out>(stage, name, system, &[], &Condition::Always)
}

impl<W: World> Clone for Node<W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: World> Copy for Node<W> {}

impl<W: World> Node<W> {
    /// A node that does nothing.
    pub(crate) const NOTHING: Self = Self {
        task: Task {
            id: TypeId::of::<()>(),
            name: "",
            params: &[],
            exclusive: false,
            finishes: false,
            setup: None,
            exit: None,
            init: no_state,
            finish: nothing_to_finish,
            has_news: no_news,
        },
        run: |_, _| {},
        fallible: None,
        asked: &[],
        condition: &Condition::Always,
        stage: 0,
    };

    /// A system in a stage, and what it depends on.
    pub const fn new<const FAILS: bool, Out: Outcome<FAILS>>(
        stage: usize,
        name: &'static str,
        system: Runnable<W, Out>,
        asked: &'static [ConditionSystem<W>],
        condition: &'static Condition,
    ) -> Self {
        Self {
            task: Task::of(name, &system),
            run: forget(system.run),
            fallible: if Out::NOTHING { None } else { Some(fallible::<W, FAILS, Out>) },
            asked,
            condition,
            stage,
        }
    }

    /// Runs the system, if its condition holds, at a tick.
    ///
    /// # Safety
    /// Nobody else accesses the world in a way that clashes with the parameters of the node's systems; the states are
    /// those of the node's places, and not part of the world if a system is exclusive.
    #[inline(always)]
    pub(crate) unsafe fn run(
        &self,
        world: WorldCell<'_, W>,
        states: &mut [SystemState],
        tick: u64,
    ) -> Result<(), Failure> {
        match (states, self.fallible) {
            ([state], None) => {
                // SAFETY: the caller's promise.
                unsafe { self.run_plainly(world, state, tick) };
                Ok(())
            }
            // SAFETY: the caller's promise.
            (states, fallible) => unsafe { self.run_if(world, states, tick, fallible) },
        }
    }

    /// Runs the system of a node that [is plain](Self::is_plain), at a tick.
    ///
    /// # Safety
    /// As for `run`.
    #[inline(always)]
    pub(crate) unsafe fn run_plainly(&self, world: WorldCell<'_, W>, state: &mut SystemState, tick: u64) {
        debug_assert!(self.is_plain());
        let ticks = state.begin(tick);
        // SAFETY: the parameters are sound together; the caller's promise; and the invariant.
        unsafe { (self.run)(world.at(&ticks), state) };
        state.end(tick);
    }

    /// The same for a system that does not ask when it ran last.
    ///
    /// # Safety
    /// As for `run`.
    #[inline(always)]
    pub(crate) unsafe fn run_untold(&self, world: WorldCell<'_, W>, state: &mut SystemState) {
        debug_assert!(self.is_plain());
        // SAFETY: the parameters are sound together; the caller's promise; and the invariant.
        unsafe { (self.run)(world.at(&Ticks::UNTOLD), state) };
    }

    /// # Safety
    /// As for `run`.
    #[inline(never)]
    unsafe fn run_if(
        &self,
        world: WorldCell<'_, W>,
        states: &mut [SystemState],
        tick: u64,
        fallible: Option<TypedRun<W, Result<(), Failure>>>,
    ) -> Result<(), Failure> {
        let Some((state, asked)) = states.split_last_mut() else { return Ok(()) };
        // SAFETY: the caller's promise.
        let turn =
            |number: usize, turn| unsafe { self.asked[number].turn(turn, world, &mut asked[number], tick) };
        // SAFETY: as above.
        unsafe {
            if !self.asked.is_empty() && !self.holds(turn) {
                (self.task.finish)(world, state, &mut SystemPhase::Skipped);
                return Ok(());
            }
            self.run_unasked(world, state, tick, fallible)
        }
    }

    /// Runs the system at a tick, without its condition.
    ///
    /// # Safety
    /// As for `run`; the state is that of the system itself.
    unsafe fn run_unasked(
        &self,
        world: WorldCell<'_, W>,
        state: &mut SystemState,
        tick: u64,
        fallible: Option<TypedRun<W, Result<(), Failure>>>,
    ) -> Result<(), Failure> {
        let ticks = state.begin(tick);
        let world = world.at(&ticks);
        // SAFETY: the parameters are sound together; the caller's promise; and the invariant.
        let done = unsafe {
            match fallible {
                None => {
                    (self.run)(world, state);
                    Ok(())
                }
                Some(fallible) => fallible(self.run, world, state),
            }
        };
        state.end(tick);
        done
    }

    /// The same for the executor of nodes that take the whole world.
    ///
    /// # Safety
    /// As for `run`; the state is that of the system itself.
    pub(super) unsafe fn run_system(
        &self,
        world: WorldCell<'_, W>,
        state: &mut SystemState,
        tick: u64,
    ) -> Result<(), Failure> {
        // SAFETY: the caller's promise.
        unsafe { self.run_unasked(world, state, tick, self.fallible) }
    }

    /// Whether the condition holds. Each of its systems has one turn, by its number among them.
    pub(super) fn holds(&self, mut turn: impl FnMut(usize, Turn) -> bool) -> bool {
        fn holds(condition: &Condition, turn: &mut dyn FnMut(usize, Turn) -> bool) -> bool {
            match condition {
                Condition::Always => true,
                Condition::Ask(number) => turn(*number, Turn::Ask),
                Condition::Not(inner) => !holds(inner, turn),
                Condition::And(left, right) => {
                    if holds(left, turn) {
                        return holds(right, turn);
                    }
                    skip(right, turn);
                    false
                }
                Condition::Or(left, right) => {
                    if !holds(left, turn) {
                        return holds(right, turn);
                    }
                    skip(right, turn);
                    true
                }
            }
        }
        fn skip(condition: &Condition, turn: &mut dyn FnMut(usize, Turn) -> bool) {
            match condition {
                Condition::Always => {}
                Condition::Ask(number) => _ = turn(*number, Turn::Skip),
                Condition::Not(inner) => skip(inner, turn),
                Condition::And(left, right) | Condition::Or(left, right) => {
                    skip(left, turn);
                    skip(right, turn);
                }
            }
        }
        holds(self.condition, &mut turn)
    }

    /// Tells the systems of the node that they are skipped, since they are switched off.
    ///
    /// # Safety
    /// As for `run`.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn skip(&self, world: WorldCell<'_, W>, states: &mut [SystemState]) {
        for (place, state) in states.iter_mut().enumerate() {
            if let Some(task) = self.task_of(place) {
                // SAFETY: the caller's promise.
                unsafe { (task.finish)(world, state, &mut SystemPhase::Skipped) };
            }
        }
    }

    /// What is done after it has run, at each of its places.
    ///
    /// # Safety
    /// Nothing else accesses the data that the systems' parameters declare. In any phase but the first two, nothing else accesses
    /// the world.
    pub(crate) unsafe fn finish(
        &self,
        world: WorldCell<'_, W>,
        states: &mut [SystemState],
        phase: &mut SystemPhase<'_, W>,
    ) {
        for (place, state) in states.iter_mut().enumerate() {
            if let Some(task) = self.task_of(place)
                && task.finishes
            {
                // SAFETY: the caller's promise.
                unsafe { (task.finish)(world, state, phase) };
            }
        }
    }

    /// Whether there is something that its system reacts to and has not seen.
    ///
    /// # Safety
    /// Nobody accesses the world; the states are those of the node's places.
    pub(crate) unsafe fn has_news(&self, world: WorldCell<'_, W>, states: &mut [SystemState]) -> bool {
        let Some(state) = states.last_mut() else { return false };
        let ticks = state.begin(world.this_run());
        // SAFETY: the caller's promise.
        unsafe { (self.task.has_news)(world.at(&ticks), state) }
    }

    /// What stands at one of its places, by its number among them: the systems that are asked, then its own.
    pub(crate) fn task_of(&self, place: usize) -> Option<&Task<W>> {
        match self.asked.get(place) {
            Some(question) => Some(&question.task),
            None => {
                if place == self.asked.len() {
                    Some(&self.task)
                } else {
                    None
                }
            }
        }
    }

    /// What stands at its places.
    pub(crate) fn tasks(&self) -> impl Iterator<Item = &Task<W>> {
        (0..self.places()).filter_map(|place| self.task_of(place))
    }

    /// Its condition as the schedule spells it, if it has one.
    pub(crate) fn condition(&self) -> Option<String> {
        (!self.asked.is_empty()).then(|| self.spelled(self.condition, false))
    }

    fn spelled(&self, condition: &Condition, inner: bool) -> String {
        let two = |left, operator, right| {
            let text = format!("{} {operator} {}", self.spelled(left, true), self.spelled(right, true));
            if inner { format!("({text})") } else { text }
        };
        match condition {
            Condition::Always => String::new(),
            Condition::Ask(number) => self.asked[*number].task.name.into(),
            Condition::Not(condition) => format!("!{}", self.spelled(condition, true)),
            Condition::And(left, right) => two(left, "&&", right),
            Condition::Or(left, right) => two(left, "||", right),
        }
    }

    /// Whether it may fail.
    pub(crate) const fn is_fallible(&self) -> bool {
        self.fallible.is_some()
    }

    /// Whether its turn is no more than that of its system, which cannot fail.
    pub(crate) const fn is_plain(&self) -> bool {
        self.asked.is_empty() && self.fallible.is_none()
    }

    /// How many places it has: one for each system that is asked, and one for itself.
    pub(crate) const fn places(&self) -> usize {
        self.asked.len() + 1
    }

    /// Whether one of its systems takes the whole world.
    pub(crate) const fn is_exclusive(&self) -> bool {
        let (mut exclusive, mut i) = (self.task.exclusive, 0);
        while i < self.asked.len() {
            exclusive |= self.asked[i].task.exclusive;
            i += 1;
        }
        exclusive
    }

    /// Whether something is to be done after it has run.
    pub(crate) const fn finishes(&self) -> bool {
        let (mut finishes, mut i) = (self.task.finishes, 0);
        while i < self.asked.len() {
            finishes |= self.asked[i].task.finishes;
            i += 1;
        }
        finishes
    }
}
