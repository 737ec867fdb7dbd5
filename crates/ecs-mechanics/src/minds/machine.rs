//! [`Machine`], the state of an entity; the traits that the derive implements; the system
//! [`change_states`].

pub(super) mod graph;
mod saved;

use std::error::Error;
use std::fmt;

use ecs::prelude::*;
use ecs::state::CanChangeTo;
use serde::{Deserialize, Serialize};

use self::graph::{StateGraph, StatePath};
use self::saved::SavedMachine;
use crate::tagged::tagged;

/// An enum of states. Implemented with
/// [`#[derive(StateMachine)]`](macro@ecs_mechanics_macros::StateMachine).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum of states of a machine",
    label = "does not derive `StateMachine`",
    note = "add `#[derive(StateMachine)]` to the enum `{Self}`, with `use ecs_mechanics::minds::StateMachine`"
)]
pub trait StateMachine: Send + Sync + Sized + 'static {
    /// The states and the transitions between them.
    const GRAPH: &'static StateGraph;
    /// The position of the state in the graph.
    fn index(&self) -> usize;
    /// The machine with the sub-states of this state.
    fn nested(&self) -> Option<&dyn NestedMachine>;
    /// The machine with the sub-states of this state, exclusively.
    fn nested_mut(&mut self) -> Option<&mut dyn NestedMachine>;
}

/// A variant of an enum of states, as a type: `guard::Chase` for `Guard::Chase`. Implemented with
/// [`#[derive(StateMachine)]`](macro@ecs_mechanics_macros::StateMachine).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a state of a machine",
    label = "not the type of a variant",
    note = "`#[derive(StateMachine)] enum Guard {{ Chase }}` makes the type `guard::Chase`, in a module with the name of the enum in snake case"
)]
pub trait StateVariant: 'static {
    /// The enum.
    type Machine: StateMachine;
    /// The field of the variant; `()` for a variant without one.
    type Data;
    /// The position of the variant in the enum.
    const INDEX: usize;
    /// The state with this data.
    fn state(data: Self::Data) -> Self::Machine;
    /// The data, if the state is this variant.
    fn data(state: &Self::Machine) -> Option<&Self::Data>;
    /// The data, exclusively, if the state is this variant.
    fn data_mut(state: &mut Self::Machine) -> Option<&mut Self::Data>;
}

/// A state in which a machine may begin: the first variant, or those with `#[state(initial)]`.
#[diagnostic::on_unimplemented(
    message = "no machine begins in the state `{Self}`",
    label = "not an initial state",
    note = "add `#[state(initial)]` to the variant `{Self}`, and to each other one in which machines begin, or begin in an initial state"
)]
pub trait InitialState: StateVariant {}

/// The initial state of [`Machine::default`]: the first of the initial ones. Implemented with
/// [`#[derive(StateMachine)]`](macro@ecs_mechanics_macros::StateMachine).
pub trait FirstState: StateMachine {
    /// The state.
    type First: InitialState<Machine = Self>;
}

/// The field of a state with sub-states: a [`Machine`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `Machine`",
    label = "has no sub-states",
    note = "the field of a state with `#[state(nested)]` is a `Machine<S>`, where `S` derives `StateMachine`"
)]
pub trait SubStates {
    /// The sub-states.
    const GRAPH: &'static StateGraph;
    /// The machine.
    fn nested(&self) -> &dyn NestedMachine;
    /// The machine, exclusively.
    fn nested_mut(&mut self) -> &mut dyn NestedMachine;
}

/// The steps of a [`Machine`] with sub-states, for the machine around it, which does not know their
/// type.
pub trait NestedMachine {
    /// Whether the next step changes nothing.
    fn is_idle(&self) -> bool;
    /// Enters the current state, and the sub-states in it.
    fn enter(&mut self, at: StatePath, tell: &mut dyn FnMut(StateEdge, StatePath));
    /// Leaves the sub-states of the current state, and then the state.
    fn leave(&self, at: StatePath, tell: &mut dyn FnMut(StateEdge, StatePath));
    /// Enters the requested state, or lets the machine in the current state do so.
    fn step(&mut self, at: StatePath, tell: &mut dyn FnMut(StateEdge, StatePath));
}

/// The current state of an entity, and the requested one. A component.
///
/// A request, made by [`change`](Self::change) or [`set`](Self::set), takes effect where the
/// schedule names [`change_states`]. Until then all systems see the old state. The last request
/// counts.
///
/// ```
/// use ecs_mechanics::minds::{Machine, StateMachine};
///
/// #[derive(StateMachine)]
/// enum Door {
///     #[state(to(Closed))]
///     Open,
///     #[state(to(Open, Locked))]
///     Closed,
///     #[state(to(Closed))]
///     Locked(u32),                                     // the number of the key
/// }
///
/// let mut machine = Machine::<Door>::default();
/// assert!(machine.change::<door::Open, door::Closed>(()));
/// machine.step(|_, _| ());
/// assert!(machine.change::<door::Closed, door::Locked>(7));
/// machine.step(|_, _| ());
/// assert_eq!(machine.data::<door::Locked>(), Some(&7));
/// assert_eq!(machine.set(Door::Open).unwrap_err().to_string(), "`Door` has no transition from `Locked` to `Open`: list it in \
///     `#[state(to(..))]` on the variant `Locked`");
/// ```
///
/// ```compile_fail,E0277
/// # use ecs_mechanics::minds::{Machine, StateMachine};
/// # #[derive(StateMachine)]
/// # enum Door { #[state(to(Closed))] Open, #[state(to(Open, Locked))] Closed, #[state(to(Closed))] Locked }
/// Machine::<Door>::default().change::<door::Open, door::Locked>(());
/// ```
#[derive(Component, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "SavedMachine<S>", bound(deserialize = "S: StateMachine + Deserialize<'de>"))]
pub struct Machine<S> {
    now: S,
    next: Option<S>,
    /// Whether a step has entered the current state.
    entered: bool,
}

impl<S: StateMachine> Machine<S> {
    /// A machine that begins in an initial state. The first step enters it.
    #[must_use]
    pub fn begin<V: InitialState<Machine = S>>(data: V::Data) -> Self {
        const { assert!(S::GRAPH.depth() <= StatePath::LONGEST, "the states are nested too deep") };
        Self { now: V::state(data), next: None, entered: false }
    }

    /// The current state.
    #[must_use]
    pub const fn get(&self) -> &S {
        &self.now
    }

    /// Whether this is the current state.
    #[must_use]
    pub fn is<V: StateVariant<Machine = S>>(&self) -> bool {
        self.now.index() == V::INDEX
    }

    /// The data of the current state, if it is this one. The data of a state with sub-states is a
    /// machine.
    #[must_use]
    pub fn data<V: StateVariant<Machine = S>>(&self) -> Option<&V::Data> {
        V::data(&self.now)
    }

    /// The data of the current state, exclusively, if it is this one.
    ///
    /// Request transitions of sub-states by it. A machine that is assigned to it begins anew: the
    /// next step enters its state, and none is left.
    #[must_use]
    pub fn data_mut<V: StateVariant<Machine = S>>(&mut self) -> Option<&mut V::Data> {
        V::data_mut(&mut self.now)
    }

    /// The state that the next step enters; `None` if none is requested.
    #[must_use]
    pub const fn requested(&self) -> Option<&S> {
        self.next.as_ref()
    }

    /// Requests the transition from one state to another, which must be allowed: otherwise the
    /// program does not compile.
    ///
    /// Returns whether `From` is the current state; in another state nothing is requested.
    pub fn change<From, To>(&mut self, data: To::Data) -> bool
    where
        From: StateVariant<Machine = S> + CanChangeTo<To, S>,
        To: StateVariant<Machine = S>,
    {
        let is_current = self.is::<From>();
        if is_current {
            self.next = Some(To::state(data));
        }
        is_current
    }

    /// Requests the transition from the current state to a state that is known only at run time.
    ///
    /// # Errors
    /// If the transition is not allowed. An earlier request remains.
    pub fn set(&mut self, next: S) -> Result<(), NoTransition> {
        let (from, to) = (self.now.index(), next.index());
        if !S::GRAPH.allows(from, to) {
            let name = |at: usize| S::GRAPH.states[at].name;
            return Err(NoTransition { machine: S::GRAPH.name, from: name(from), to: name(to) });
        }
        self.next = Some(next);
        Ok(())
    }

    /// Withdraws the request.
    pub fn stay(&mut self) {
        self.next = None;
    }

    /// Enters the requested state, and reports the states that are left and entered. The system
    /// [`change_states`] calls it.
    ///
    /// States are left from the innermost to the outermost, and entered from the outermost to the
    /// innermost. A transition of a state ends requests of its sub-states. The first step enters
    /// the initial state, or the requested one if there is a request; it leaves none.
    pub fn step(&mut self, mut tell: impl FnMut(StateEdge, StatePath)) {
        NestedMachine::step(self, StatePath::default(), &mut tell);
    }
}

impl<S: StateMachine> NestedMachine for Machine<S> {
    fn is_idle(&self) -> bool {
        self.entered && self.next.is_none() && self.now.nested().is_none_or(|nested| nested.is_idle())
    }

    fn enter(&mut self, at: StatePath, tell: &mut dyn FnMut(StateEdge, StatePath)) {
        if let Some(next) = self.next.take() {
            self.now = next;
        }
        self.entered = true;
        let here = at.then(self.now.index());
        tell(StateEdge::Entered, here);
        if let Some(nested) = self.now.nested_mut() {
            nested.enter(here, tell);
        }
    }

    fn leave(&self, at: StatePath, tell: &mut dyn FnMut(StateEdge, StatePath)) {
        let here = at.then(self.now.index());
        if let Some(nested) = self.now.nested() {
            nested.leave(here, tell);
        }
        if self.entered {
            tell(StateEdge::Left, here);
        }
    }

    fn step(&mut self, at: StatePath, tell: &mut dyn FnMut(StateEdge, StatePath)) {
        if !self.entered {
            self.enter(at, tell);
        } else if self.next.is_some() {
            self.leave(at, tell);
            self.enter(at, tell);
        } else {
            let here = at.then(self.now.index());
            if let Some(nested) = self.now.nested_mut() {
                nested.step(here, tell);
            }
        }
    }
}

impl<S: StateMachine> SubStates for Machine<S> {
    const GRAPH: &'static StateGraph = S::GRAPH;

    fn nested(&self) -> &dyn NestedMachine {
        self
    }

    fn nested_mut(&mut self) -> &mut dyn NestedMachine {
        self
    }
}

/// A machine that begins in the first initial state, which has no data.
impl<S: FirstState> Default for Machine<S>
where
    S::First: StateVariant<Data: Default>,
{
    fn default() -> Self {
        Self::begin::<S::First>(Default::default())
    }
}

impl<S: StateMachine> fmt::Debug for Machine<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |state: &S| S::GRAPH.states[state.index()].name;
        write!(f, "{}::{}", S::GRAPH.name, name(&self.now))?;
        self.next.as_ref().map_or(Ok(()), |next| write!(f, " -> {}", name(next)))
    }
}

/// A transition that the enum does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoTransition {
    /// The name of the enum.
    pub machine: &'static str,
    /// The name of the current state.
    pub from: &'static str,
    /// The name of the requested state.
    pub to: &'static str,
}

impl fmt::Display for NoTransition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machine, from, to } = self;
        write!(
            f,
            "`{machine}` has no transition from `{from}` to `{to}`: list it in `#[state(to(..))]` on the variant `{from}`"
        )
    }
}

impl Error for NoTransition {}

/// Whether a state is left or entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StateEdge {
    /// The state is left.
    Left,
    /// The state is entered.
    Entered,
}

tagged! {
    /// An entity has left or entered a state. An event; [`change_states`] sends it.
    #[derive(Event)]
    pub struct StateChange<S: StateMachine> {
        /// The entity with the machine.
        pub entity: Entity,
        /// Whether the state is left or entered.
        pub edge: StateEdge,
        /// The state, with the states around it.
        pub path: StatePath,
    }
}

impl<S: StateMachine> StateChange<S> {
    /// Whether this state is entered: a state of the machine, or a sub-state. A state of another
    /// machine is an error of `cargo build`.
    #[must_use]
    pub fn entered<V: StateVariant>(&self) -> bool {
        self.edge == StateEdge::Entered && self.is::<V>()
    }

    /// Whether this state is left: a state of the machine, or a sub-state. A state of another
    /// machine is an error of `cargo build`.
    #[must_use]
    pub fn left<V: StateVariant>(&self) -> bool {
        self.edge == StateEdge::Left && self.is::<V>()
    }

    /// The name of the state, with those of the states around it: `Alert::Search`.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.name(S::GRAPH)
    }

    fn is<V: StateVariant>(&self) -> bool {
        const {
            assert!(
                S::GRAPH.contains(V::Machine::GRAPH),
                "this state is neither one of the machine's states nor one of their sub-states"
            );
        };
        self.path.is(S::GRAPH, V::Machine::GRAPH, V::INDEX)
    }
}

/// System: the machines of all entities enter their requested states, as `change_states::<Guard>`.
/// Sends a [`StateChange`] for each state that is left or entered: entity by entity, in the order
/// of [`Machine::step`].
#[system]
pub fn change_states<S: StateMachine>(
    mut machines: Query<(Entity, &mut Machine<S>)>,
    mut changes: EventWriter<StateChange<S>>,
) {
    for (entity, machine) in &mut machines {
        if !machine.is_idle() {
            machine.step(|edge, path| changes.send(StateChange::from_fields(entity, edge, path)));
        }
    }
}
