//! [`Node`]: a system in a schedule, with the systems of its condition. Each of them is stored as a
//! [`Task`], which describes it, and a function whose output type is [erased](super::output).
#![expect(
    unsafe_code,
    reason = "systems access the world through a cell; the executors keep clashing systems apart"
)]

use alloc::format;
use alloc::string::String;
use core::any::TypeId;

use super::condition::{Condition, ConditionStep};
#[cfg(feature = "reflect")]
use super::failures::Failures;
use super::output::{
    ConditionOutput, ErasedRun, Failure, ObserverOutput, Outcome, TypedRun, call_condition, call_contained,
    call_system, erase,
};
#[cfg(feature = "std")]
use super::panics::condition::ConditionGuard;
use crate::base::tick::Ticks;
use crate::raw_world::{RawWorld, WorldCell};
#[cfg(feature = "reflect")]
use crate::system::failure::Contained;
use crate::system::{Gate, Runnable, System, SystemDesc, SystemKind, SystemPhase, SystemState};

/// A system at a place: its description, and its name there.
#[repr(C)]
pub(crate) struct Task<W: 'static> {
    pub(crate) id: TypeId,
    /// The name of the system, as the schedule spells it.
    pub(crate) name: &'static str,
    pub(crate) desc: &'static SystemDesc<W>,
}

copy!([W] Task<W>);

impl<W: RawWorld> Task<W> {
    const fn of<Out>(name: &'static str, system: &Runnable<W, Out>) -> Self {
        Self { id: system.id, name, desc: system.desc }
    }
}

/// A system that returns `bool`, as a part of a condition.
///
/// # Invariants
/// `call` restores the type from which `run` was erased.
#[repr(C)]
pub struct ConditionSystem<W: 'static> {
    pub(crate) task: Task<W>,
    run: ErasedRun<W>,
    call: TypedRun<W, bool>,
}

impl<W: RawWorld> ConditionSystem<W> {
    /// Describes a system that returns `bool`.
    pub const fn new<Out: ConditionOutput>(name: &'static str, system: Runnable<W, Out>) -> Self {
        Self { task: Task::of(name, &system), run: erase(system.run), call: call_condition::<W, Out> }
    }

    /// Runs the system at a tick, and returns its output.
    ///
    /// # Safety
    /// No other access to the world clashes with the system's parameters while it runs. The state
    /// is that of the system, and is outside of the world if the system is exclusive.
    unsafe fn evaluate(&self, world: WorldCell<'_, W>, state: &mut SystemState, tick: u64) -> bool {
        let ticks = state.begin(tick);
        #[cfg(feature = "std")]
        let guard = ConditionGuard(self.task.name);
        // SAFETY: by the invariant `call` restores the type of `run`; the parameters of a
        // `Runnable` are sound together; and the caller keeps other accesses away.
        let output = unsafe { (self.call)(self.run, world.at(&ticks), state) };
        #[cfg(feature = "std")]
        core::mem::forget(guard);
        if state.take_skipped() {
            // SAFETY: the caller keeps clashing accesses away, and passes the state of this system.
            unsafe { self.task.desc.finish(world, state, &mut SystemPhase::Skipped { by_state: false }) };
            return false;
        }
        state.end(tick);
        output
    }

    /// Runs the system at a tick in a world that no one else uses, and returns its output. The
    /// state is not part of the world.
    #[cfg(feature = "reflect")]
    pub(super) fn evaluate_alone(&self, world: &mut W, state: &mut SystemState, tick: u64) -> bool {
        // SAFETY: the world is borrowed mutably, so that no other borrow of its data is alive, and
        // the state is outside of it. A state of another system is of another type, which
        // `SystemState` notices.
        unsafe { self.evaluate(WorldCell::new(world), state, tick) }
    }

    /// Evaluates the system, or skips it, which returns `false`.
    ///
    /// # Safety
    /// The contract of `evaluate`.
    pub(super) unsafe fn step(
        &self,
        step: ConditionStep,
        world: WorldCell<'_, W>,
        state: &mut SystemState,
        tick: u64,
    ) -> bool {
        match step {
            // SAFETY: this function has the contract of `evaluate`.
            ConditionStep::Evaluate => unsafe { self.evaluate(world, state, tick) },
            ConditionStep::Skip => {
                // SAFETY: the caller keeps clashing accesses away, and passes the state of this
                // system.
                unsafe { self.task.desc.finish(world, state, &mut SystemPhase::Skipped { by_state: false }) };
                false
            }
        }
    }
}

/// A system in a schedule, with its condition.
///
/// # Invariants
/// The parameters of each system are sound together. `call` restores the type from which `run` was
/// erased; if it is `None`, `run` returns `()`, and is called without a cast, and no parameter of
/// the system can skip it.
#[repr(C)]
pub struct Node<W: 'static> {
    pub(crate) task: Task<W>,
    run: ErasedRun<W>,
    call: Option<TypedRun<W, Result<(), Failure>>>,
    is_fallible: bool,
    /// Whether a failure of the system ends only itself.
    pub(super) is_contained: bool,
    /// The systems of the condition.
    pub(crate) conditions: &'static [ConditionSystem<W>],
    condition: &'static Condition,
    /// The index of its stage in the text.
    pub(crate) stage: usize,
    /// The number of the group that it is the gate of; 0 for other nodes.
    pub(super) gate: u16,
    /// The number of the innermost group that it is in; 0 if it is in none.
    pub(super) group: u16,
}

/// Creates a node of a system without a condition that cannot fail. Most nodes are made by this
/// function: it has fewer arguments for the compiler than [`Node::new`].
pub const fn node<W: RawWorld, Out: Outcome<false>>(
    stage: usize,
    name: &'static str,
    system: Runnable<W, Out>,
) -> Node<W> {
    Node::new::<false, Out>(stage, name, system, &[], &Condition::Always)
}

copy!([W] Node<W>);

impl<W: RawWorld> Node<W> {
    /// A node without a system, which fills an array before its nodes are known.
    pub(crate) const EMPTY: Self = node(0, "", <Gate as System<W>>::RUNNABLE);

    /// Creates a node of a system in a stage, with the systems of its condition.
    pub const fn new<const FAILS: bool, Out: Outcome<FAILS>>(
        stage: usize,
        name: &'static str,
        system: Runnable<W, Out>,
        conditions: &'static [ConditionSystem<W>],
        condition: &'static Condition,
    ) -> Self {
        Self {
            task: Task::of(name, &system),
            run: erase(system.run),
            call: if Out::IS_UNIT && !system.desc.may_skip {
                None
            } else {
                Some(call_system::<W, FAILS, Out>)
            },
            is_fallible: !Out::IS_UNIT,
            is_contained: false,
            conditions,
            condition,
            stage,
            gate: 0,
            group: 0,
        }
    }

    /// Creates a node of a system whose failure ends only itself.
    pub const fn contained<Out: Outcome<true>>(
        stage: usize,
        name: &'static str,
        system: Runnable<W, Out>,
        conditions: &'static [ConditionSystem<W>],
        condition: &'static Condition,
    ) -> Self {
        let node = Self::new::<true, Out>(stage, name, system, conditions, condition);
        Self { call: Some(call_contained::<W, Out>), is_fallible: false, is_contained: true, ..node }
    }

    /// Creates a node of an observer, which returns nothing.
    pub const fn observer<Out: ObserverOutput>(
        stage: usize,
        name: &'static str,
        system: Runnable<W, Out>,
        conditions: &'static [ConditionSystem<W>],
        condition: &'static Condition,
    ) -> Self {
        Self::new::<false, Out>(stage, name, system, conditions, condition)
    }

    /// The node as the gate of the group with a number, from 1 on.
    pub(super) const fn gate_of(self, group: u16) -> Self {
        Self { gate: group, ..self }
    }

    /// The node in the group with a number, from 1 on, whose gate stands before it.
    pub const fn within(self, group: u16) -> Self {
        Self { group, ..self }
    }

    /// Runs the system at a tick, if its condition holds.
    ///
    /// # Safety
    /// No other access to the world clashes with the parameters of the node's systems while they
    /// run. The states are those of the node's places, and are outside of the world if a system of
    /// the node is exclusive.
    #[inline(always)]
    pub(crate) unsafe fn run(
        &self,
        world: WorldCell<'_, W>,
        states: &mut [SystemState],
        tick: u64,
    ) -> Result<(), Failure> {
        match (states, self.call) {
            ([state], None) => {
                // SAFETY: `run_plain` has the contract of this function.
                unsafe { self.run_plain(world, state, tick) };
                Ok(())
            }
            // SAFETY: `run_if` has the contract of this function.
            (states, call) => unsafe { self.run_if(world, states, tick, call) },
        }
    }

    /// Runs the system of a node that [is plain](Self::is_plain), at a tick.
    ///
    /// # Safety
    /// The contract of `run`.
    #[inline(always)]
    pub(crate) unsafe fn run_plain(&self, world: WorldCell<'_, W>, state: &mut SystemState, tick: u64) {
        debug_assert!(self.is_plain());
        let ticks = state.begin(tick);
        // SAFETY: by the invariant, `run` is called with its own type, and the parameters are sound
        // together; the caller keeps clashing accesses away.
        unsafe { (self.run)(world.at(&ticks), state) };
        state.end(tick);
    }

    /// Runs the system of a node that [is plain](Self::is_plain), without recording the tick: for a
    /// schedule in which no system reads the tick of its last run.
    ///
    /// # Safety
    /// The contract of `run`.
    #[inline(always)]
    pub(crate) unsafe fn run_without_ticks(&self, world: WorldCell<'_, W>, state: &mut SystemState) {
        debug_assert!(self.is_plain());
        // SAFETY: by the invariant, `run` is called with its own type, and the parameters are sound
        // together; the caller keeps clashing accesses away.
        unsafe { (self.run)(world.at(&Ticks::UNTOLD), state) };
    }

    /// Runs the systems of the condition, and the system itself if it holds.
    ///
    /// # Safety
    /// The contract of `run`.
    #[inline(never)]
    unsafe fn run_if(
        &self,
        world: WorldCell<'_, W>,
        states: &mut [SystemState],
        tick: u64,
        call: Option<TypedRun<W, Result<(), Failure>>>,
    ) -> Result<(), Failure> {
        let Some((state, condition_states)) = states.split_last_mut() else { return Ok(()) };
        // SAFETY: the caller keeps clashing accesses away from all systems of the node, and these
        // are the states of the condition.
        let mut step = |index: usize, step| unsafe {
            self.conditions[index].step(step, world, &mut condition_states[index], tick)
        };
        // SAFETY: the caller keeps clashing accesses away, and `state` is that of the system
        // itself.
        unsafe {
            if !self.conditions.is_empty() && !self.holds(&mut step) {
                let by_state = self.is_refused_by_state(&mut step);
                if by_state && self.gate > 0 {
                    state.skip(); // for the nodes of the group
                }
                self.task.desc.finish(world, state, &mut SystemPhase::Skipped { by_state });
                return Ok(());
            }
            self.run_unconditionally(world, state, tick, call)
        }
    }

    /// Runs the system at a tick, whatever its condition. `call` is the field of this name.
    ///
    /// # Safety
    /// The contract of `run`, with the state of the system itself.
    unsafe fn run_unconditionally(
        &self,
        world: WorldCell<'_, W>,
        state: &mut SystemState,
        tick: u64,
        call: Option<TypedRun<W, Result<(), Failure>>>,
    ) -> Result<(), Failure> {
        let ticks = state.begin(tick);
        let world = world.at(&ticks);
        // SAFETY: by the invariant, `run` is called with its own type, and the parameters are sound
        // together; the caller keeps clashing accesses away.
        let done = unsafe {
            match call {
                None => {
                    (self.run)(world, state);
                    Ok(())
                }
                Some(call) => call(self.run, world, state),
            }
        };
        if call.is_some() && state.take_skipped() {
            // SAFETY: the caller keeps clashing accesses away, and passes the state of this system.
            unsafe { self.task.desc.finish(world, state, &mut SystemPhase::Skipped { by_state: false }) };
        } else {
            state.end(tick);
        }
        done
    }

    /// Runs the system at a tick, whatever its condition, in a world that no one else uses. The
    /// state is not part of the world.
    #[cfg(feature = "reflect")]
    pub(super) fn run_alone(&self, world: &mut W, state: &mut SystemState, tick: u64) -> Result<(), Failure> {
        // SAFETY: the world is borrowed mutably, so that no other borrow of its data is alive, and
        // the state is outside of it. A state of another system is of another type, which
        // `SystemState` notices.
        unsafe { self.run_system(WorldCell::new(world), state, tick)? };
        let Some(failed) = state.take_failed() else { return Ok(()) };
        // SAFETY: as above.
        unsafe { self.discard(WorldCell::new(world), state) };
        Err(match failed {
            Contained::One { reason, .. } => reason.into(),
            Contained::Nested(failures) => alloc::boxed::Box::new(Failures(failures)),
        })
    }

    /// Runs the system at a tick, whatever its condition: for the executor of exclusive nodes,
    /// which evaluates the condition itself.
    ///
    /// # Safety
    /// The contract of `run`, with the state of the system itself.
    pub(super) unsafe fn run_system(
        &self,
        world: WorldCell<'_, W>,
        state: &mut SystemState,
        tick: u64,
    ) -> Result<(), Failure> {
        // SAFETY: `run_unconditionally` has the contract of this function, and `self.call` is the
        // field.
        unsafe { self.run_unconditionally(world, state, tick, self.call) }
    }

    /// Whether the condition holds. Calls `step` once for each system of the condition, with its
    /// index, to evaluate or skip it.
    pub(super) fn holds(&self, mut step: impl FnMut(usize, ConditionStep) -> bool) -> bool {
        self.condition.holds(&mut step)
    }

    /// Whether `in_state` has refused the node: the condition, which does not hold, is false
    /// whatever the other systems of it return. Calls `step` to evaluate `in_state`.
    pub(super) fn is_refused_by_state(&self, mut step: impl FnMut(usize, ConditionStep) -> bool) -> bool {
        let of_state = |index: usize| matches!(self.conditions[index].task.desc.kind, SystemKind::InState);
        let mut ask = |index| of_state(index).then(|| step(index, ConditionStep::Evaluate));
        (0..self.conditions.len()).any(of_state) && !self.condition.can_be(true, &mut ask)
    }

    /// Runs `SystemPhase::Skipped` for the systems of the node, which is switched off, or in a
    /// group that is closed, `by_state` if `in_state` has closed it.
    ///
    /// # Safety
    /// The contract of `run`.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn skip(&self, world: WorldCell<'_, W>, states: &mut [SystemState], by_state: bool) {
        for (place, state) in states.iter_mut().enumerate() {
            if let Some(task) = self.task_of(place) {
                // SAFETY: the caller keeps clashing accesses away, and passes the states of the
                // node's places.
                unsafe { task.desc.finish(world, state, &mut SystemPhase::Skipped { by_state }) };
            }
        }
    }

    /// Runs a phase for the systems of the node that have work left after they have run. A system
    /// that has failed, and ends only itself, is not `Done`.
    ///
    /// # Safety
    /// No other access to the world clashes with the parameters of the node's systems, and the
    /// states are those of the node's places. In any phase but `Done` and `Skipped`, no other
    /// access to the world is alive.
    pub(crate) unsafe fn finish(
        &self,
        world: WorldCell<'_, W>,
        states: &mut [SystemState],
        phase: &mut SystemPhase<'_, W>,
    ) {
        for (place, state) in states.iter_mut().enumerate() {
            if let Some(task) = self.task_of(place)
                && task.desc.finishes
                && !(state.has_failed() && matches!(phase, SystemPhase::Done))
            {
                // SAFETY: the caller keeps clashing accesses away, and passes the states of the
                // node's places.
                unsafe { task.desc.finish(world, state, phase) };
            }
        }
    }

    /// Drops what the system of the node has deferred; not what its condition has.
    ///
    /// # Safety
    /// No other access to the world is alive, and the state is that of the system.
    pub(super) unsafe fn discard(&self, world: WorldCell<'_, W>, state: &mut SystemState) {
        if self.task.desc.finishes {
            // SAFETY: the caller keeps other accesses away, and passes the state of the system.
            unsafe { self.task.desc.finish(world, state, &mut SystemPhase::Discard) };
        }
    }

    /// Whether there are events or changes that its system reacts to and has not read.
    ///
    /// # Safety
    /// No other access to the world is alive, and the states are those of the node's places.
    pub(crate) unsafe fn has_news(&self, world: WorldCell<'_, W>, states: &mut [SystemState]) -> bool {
        let Some(state) = states.last_mut() else { return false };
        let ticks = state.begin(world.this_run());
        // SAFETY: no other access is alive, as the caller promises, and the last state of the node
        // is that of its system.
        unsafe { self.task.desc.has_news(world.at(&ticks), state) }
    }
}

/// The systems of a node, and its properties, for all that reads plans.
impl<W: 'static> Node<W> {
    /// The task at one of the node's places, by its index in the node: first the systems of the
    /// condition, then the system itself.
    pub(crate) fn task_of(&self, place: usize) -> Option<&Task<W>> {
        match self.conditions.get(place) {
            Some(condition) => Some(&condition.task),
            None => {
                if place == self.conditions.len() {
                    Some(&self.task)
                } else {
                    None
                }
            }
        }
    }

    /// The tasks at the node's places, in order.
    pub(crate) fn tasks(&self) -> impl Iterator<Item = &Task<W>> {
        (0..self.places()).filter_map(|place| self.task_of(place))
    }

    /// The condition as the schedule spells it, if the node has one.
    pub(crate) fn condition(&self) -> Option<String> {
        (!self.conditions.is_empty()).then(|| self.spelled(self.condition, false))
    }

    /// The text of a condition, in parentheses if it is an operand of another one.
    fn spelled(&self, condition: &Condition, inner: bool) -> String {
        let two = |left, operator, right| {
            let text = format!("{} {operator} {}", self.spelled(left, true), self.spelled(right, true));
            if inner { format!("({text})") } else { text }
        };
        match condition {
            Condition::Always => String::new(),
            Condition::Ask(index) => self.conditions[*index].task.name.into(),
            Condition::Not(condition) => format!("!{}", self.spelled(condition, true)),
            Condition::And(left, right) => two(left, "&&", right),
            Condition::Or(left, right) => two(left, "||", right),
        }
    }

    /// Whether the system may fail.
    pub(crate) const fn is_fallible(&self) -> bool {
        self.is_fallible
    }

    /// Whether the node has no condition, and its system can neither fail nor be skipped.
    pub(crate) const fn is_plain(&self) -> bool {
        self.conditions.is_empty() && self.call.is_none()
    }

    /// The number of the node's places: one for each system of the condition, and one for the
    /// system itself.
    pub(crate) const fn places(&self) -> usize {
        self.conditions.len() + 1
    }

    /// Whether one of the node's systems takes the whole world.
    pub(crate) const fn is_exclusive(&self) -> bool {
        self.task.desc.is_exclusive() || any!(self.conditions, |condition| condition.task.desc.is_exclusive())
    }

    /// Whether one of the node's systems has work left after it has run: commands to apply, or
    /// events to publish.
    pub(crate) const fn finishes(&self) -> bool {
        self.task.desc.finishes || any!(self.conditions, |condition| condition.task.desc.finishes)
    }
}
