//! [`States`], the trait of an enum of states; [`StateVariant`], that of the type for each variant;
//! [`CanChangeTo`], the transitions; [`SubStates`], states within another one; [`StateResource`]
//! and [`RootState`], the resource with the current one.

use super::SubState;

/// An enum of states. Implemented with [`#[derive(States)]`](macro@crate::States).
///
/// A [`State`](crate::state::State) has one of its variants. An implementation by hand has no types
/// for the variants, so its states change by [`set`](crate::state::State::set) only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum of states",
    label = "does not derive `States`",
    note = "add `#[derive(States)]` to the enum `{Self}`"
)]
pub trait States: Sized + 'static {
    /// The resource with the current state: [`State<Self>`](crate::state::State), or
    /// [`SubState<Self>`](crate::state::SubState) for an enum with `#[states(within = ..)]`.
    type Resource: StateResource<Self>;
    /// The name of the enum, without its path.
    const STATES_NAME: &'static str;
    /// The states, in the order of the enum.
    const ALL: &'static [Self];

    /// The position of the state in [`ALL`](Self::ALL). Two states with the same position are the
    /// same state.
    fn index(&self) -> usize;

    /// The name of the variant.
    fn state_name(&self) -> &'static str;

    /// The states to which this one can change.
    fn transitions(&self) -> &'static [Self];

    /// Whether this state can change to another one, or to itself. The cost is proportional to the
    /// number of [`transitions`](Self::transitions).
    fn allows(&self, to: &Self) -> bool {
        self.transitions().iter().any(|state| state.index() == to.index())
    }
}

/// A variant of an enum of states, as a type: `phase::Play` for `Phase::Play`. Implemented with
/// [`#[derive(States)]`](macro@crate::States).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a state",
    label = "not the type of a variant",
    note = "`#[derive(States)] enum Phase {{ Play }}` makes the type `phase::Play`, in a module with the name of the enum in snake case"
)]
pub trait StateVariant: 'static {
    /// The enum.
    type States: States;
    /// The variant.
    const VALUE: Self::States;
}

/// The states `S` can change from the variant `Self` to the variant `To`. Implemented with
/// [`#[derive(States)]`](macro@crate::States), for the transitions that the enum lists.
#[diagnostic::on_unimplemented(
    message = "`{S}` has no transition from `{Self}` to `{To}`",
    label = "this transition is not allowed",
    note = "list `{To}` in `#[state(to(..))]` on the variant `{Self}` of `{S}`, or request an allowed transition"
)]
pub trait CanChangeTo<To, S> {}

/// An enum of states that exist only while another state has one variant. Implemented with
/// [`#[derive(States)]`](macro@crate::States) and `#[states(within = phase::Play)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum of sub-states",
    label = "has no parent state",
    note = "add `#[states(within = phase::Play)]` to the enum `{Self}`, with the type of the parent state"
)]
pub trait SubStates: States<Resource = SubState<Self>> {
    /// The state in which the sub-states exist.
    type Parent: StateVariant;
    /// The state that is entered with the parent: the first variant of the enum.
    const FIRST: Self;
}

/// The resource with the current state: [`State`](crate::state::State) or
/// [`SubState`](crate::state::SubState).
pub trait StateResource<S>: 'static {
    /// The current state; `None` for a sub-state outside of its parent.
    fn current(&self) -> Option<&S>;
    /// The state that the latest transition entered; `None` if it changed nothing.
    fn entered(&self) -> Option<&S>;
    /// The state that the latest transition left; `None` if it left none.
    fn exited(&self) -> Option<&S>;
}

/// The resource of states without a parent: [`State`](crate::state::State).
#[diagnostic::on_unimplemented(
    message = "`{Self}` changes with its parent",
    label = "an enum of sub-states",
    note = "name the system `sub_transition` in place of `transition`"
)]
pub trait RootState: 'static {
    /// Enters the requested state: see [`State::transition`](crate::state::State::transition).
    fn transition(&mut self);
}

/// Whether a state is this variant.
pub(super) fn is_variant<V: StateVariant>(state: Option<&V::States>) -> bool {
    state.is_some_and(|state| state.index() == V::VALUE.index())
}
