//! [`States`], the trait of an enum of states; [`StateVariant`], that of the type for each variant; [`CanChangeTo`], the transitions.

/// An enum of states. Implemented with [`#[derive(States)]`](macro@crate::States).
///
/// A [`State`](crate::state::State) has one of its variants. An implementation by hand has no types for the variants, so its states
/// change by [`set`](crate::state::State::set) only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum of states",
    label = "does not derive `States`",
    note = "add `#[derive(States)]` to the enum `{Self}`"
)]
pub trait States: Sized + 'static {
    /// The name of the enum, without its path.
    const STATES_NAME: &'static str;
    /// The states, in the order of the enum.
    const ALL: &'static [Self];

    /// The position of the state in [`ALL`](Self::ALL). Two states with the same position are the same state.
    fn index(&self) -> usize;

    /// The name of the variant.
    fn state_name(&self) -> &'static str;

    /// The states to which this one can change.
    fn transitions(&self) -> &'static [Self];

    /// Whether this state can change to another one, or to itself. The cost is proportional to the number of
    /// [`transitions`](Self::transitions).
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
