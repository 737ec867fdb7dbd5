//! The derives of the package `checked-ecs-mechanics`. Programs use them by the names that it
//! exports.
//!
//! `model` reads an enum and its attributes, `check` has the rules of state machines, `expand`
//! writes the impls, `fact` is the other derive, and `names` has what messages need.

mod check;
mod expand;
mod fact;
mod model;
mod names;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a state machine of an enum: each variant is a state, which names the states that may
/// follow it.
///
/// ```text
/// #[derive(StateMachine)]
/// enum Guard {
///     #[state(to(Chase))]
///     Patrol,                                 // the first variant is the first state
///     #[state(to(Patrol))]
///     Chase(Entity),                          // a state may have one field with its data
/// }
/// ```
///
/// The derive makes a module with the name of the enum in snake case, which has a type for each
/// variant: `guard::Patrol`. Methods of `ecs_mechanics::minds::Machine` name states by these types,
/// so that `cargo check` refuses a transition that the enum does not list.
///
/// # Options of a variant
/// - `to(A, B)`: the states that may follow. Without it, all others may; `to()` is a final state.
/// - `initial`: a machine may begin in this state. Without any such variant, it is the first one.
/// - `nested`: the field of the variant is a `Machine` with the sub-states of this state.
///
/// # Options of the enum
/// - `#[machine(module = name)]`: the name of the module.
/// - `#[machine(crate = path)]`: the path of the library, if it is not `::ecs_mechanics`.
#[proc_macro_derive(StateMachine, attributes(machine, state))]
pub fn state_machine(item: TokenStream) -> TokenStream {
    expand::state_machine(&parse_macro_input!(item as DeriveInput)).into()
}

/// Makes an enum without fields usable as facts: each variant is one, which holds or does not.
///
/// # Options
/// - `#[fact(crate = path)]`: the path of the library, if it is not `::ecs_mechanics`.
#[proc_macro_derive(Fact, attributes(fact))]
pub fn fact(item: TokenStream) -> TokenStream {
    fact::expand(&parse_macro_input!(item as DeriveInput)).into()
}
