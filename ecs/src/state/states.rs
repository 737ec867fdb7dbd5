//! [`States`], the trait of an enum of states; [`StateVariant`] and [`StateValue`], those of the
//! type for each variant; [`CanChangeTo`], the transitions; [`SubStates`], states within another
//! one; [`ComputedStates`], states that are computed; [`StateResource`] and [`RootState`], the
//! resource with the current one.

use super::{ComputedState, SubState};

/// An enum of states. Implemented with [`#[derive(States)]`](macro@crate::States).
///
/// A [`State`](crate::state::State) has one of its variants. An implementation by hand has no types
/// for the variants, so its states change by [`set`](crate::state::State::set) only.
///
/// A variant may have data, whose types are `PartialEq`: `Level(1)` and `Level(2)` are two states,
/// of one variant. Conditions ask for the variant, `in_state::<phase::Level>`, and
/// [`set`](crate::state::State::set) requests a state with its data.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(States, PartialEq, Debug)]
/// enum Phase {
///     Menu,
///     Level(u8),
/// }
///
/// let mut state = State::new(Phase::Menu);
/// state.set(Phase::Level(1))?;
/// state.transition();
/// state.set(Phase::Level(2))?;                            // another state
/// state.transition();
/// assert_eq!((state.exited(), state.entered()), (Some(&Phase::Level(1)), Some(&Phase::Level(2))));
/// assert!(state.change::<phase::Level, phase::Menu>());   // from any level
/// # Ok::<(), ecs::state::TransitionError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum of states",
    label = "does not derive `States`",
    note = "add `#[derive(States)]` to the enum `{Self}`"
)]
pub trait States: Sized + 'static {
    /// The resource with the current state: [`State<Self>`](crate::state::State),
    /// [`SubState<Self>`](crate::state::SubState) for an enum with `#[states(within = ..)]`, or
    /// [`ComputedState<Self>`](crate::state::ComputedState) for one with `#[states(computed)]`.
    type Resource: StateResource<Self>;
    /// The name of the enum, without its path.
    const STATES_NAME: &'static str;
    /// The states without data, in the order of the enum.
    const ALL: &'static [Self];

    /// The position of the variant in the enum.
    fn index(&self) -> usize;

    /// The name of the variant.
    fn state_name(&self) -> &'static str;

    /// The states without data to which this one can change.
    fn transitions(&self) -> &'static [Self];

    /// Whether this state can change to another one, or to itself. The cost is proportional to the
    /// number of [`transitions`](Self::transitions).
    fn allows(&self, to: &Self) -> bool {
        self.transitions().iter().any(|state| state.index() == to.index())
    }

    /// Whether this is the same state: the same variant, with the same data.
    fn is_same(&self, other: &Self) -> bool {
        self.index() == other.index()
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
    /// The position of the variant in the enum.
    const INDEX: usize;
}

/// A variant without data, as a type, which has its value. Implemented with
/// [`#[derive(States)]`](macro@crate::States).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a state without data",
    label = "not the type of a variant without data",
    note = "a state with data is requested by its value: `state.set(Phase::Level(1))?`",
    note = "`#[derive(States)] enum Phase {{ Play }}` makes the type `phase::Play`, in a module with the name of the enum in snake case"
)]
pub trait StateValue: StateVariant {
    /// The state.
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

/// An enum of states that a system computes. Implemented with
/// [`#[derive(States)]`](macro@crate::States) and `#[states(computed)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum of computed states",
    label = "changes by requests",
    note = "add `#[states(computed)]` to the enum `{Self}`, or name the system `transition` in place of `compute_state`"
)]
pub trait ComputedStates: States<Resource = ComputedState<Self>> {}

/// The resource with the current state: [`State`](crate::state::State),
/// [`SubState`](crate::state::SubState) or [`ComputedState`].
pub trait StateResource<S>: 'static {
    /// The current state; `None` for a sub-state outside of its parent, and for a computed state
    /// that does not exist.
    fn current(&self) -> Option<&S>;
    /// The state that the latest transition entered; `None` if it changed nothing.
    fn entered(&self) -> Option<&S>;
    /// The state that the latest transition left; `None` if it left none.
    fn exited(&self) -> Option<&S>;
}

/// Implements [`StateResource`] for resources whose state may be missing.
macro_rules! optional_state {
    ($($name:ident)+) => {$(
        impl<S: States> StateResource<S> for $name<S> {
            fn current(&self) -> Option<&S> {
                self.get()
            }
            fn entered(&self) -> Option<&S> {
                self.entered()
            }
            fn exited(&self) -> Option<&S> {
                self.exited()
            }
        }
    )+};
}
optional_state!(SubState ComputedState);

/// The resource of states without a parent: [`State`](crate::state::State).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no transitions of its own",
    label = "an enum of sub-states, or of computed states",
    note = "name the system `sub_transition` in place of `transition` for a state with a parent, and `compute_state` for a computed one"
)]
pub trait RootState: 'static {
    /// Enters the requested state: see [`State::transition`](crate::state::State::transition).
    fn transition(&mut self);
}

/// Whether a state is this variant.
pub(super) fn is_variant<V: StateVariant>(state: Option<&V::States>) -> bool {
    state.is_some_and(|state| state.index() == V::INDEX)
}
