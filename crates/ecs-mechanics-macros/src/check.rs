//! The rules of state machines.

use syn::spanned::Spanned;
use syn::{Error, Fields};

use crate::model::Machine;
use crate::names::{list, nearest, text};

/// A state is an index of one byte in `StatePath`.
const MOST_STATES: usize = 255;

/// Reports all mistakes. Returns whether impls can be written.
pub(crate) fn check(machine: &Machine, errors: &mut Vec<Error>) -> bool {
    let before = errors.len();
    is_an_enum_with_variants(machine, errors);
    has_a_module_of_its_own(machine, errors);
    has_one_field_at_most(machine, errors);
    let can_expand = errors.len() == before;
    let reported = errors.len();
    lists_its_own_variants(machine, errors);
    if can_expand && errors.len() == reported {
        every_state_is_reached(machine, errors);
    }
    can_expand
}

fn is_an_enum_with_variants(machine: &Machine, errors: &mut Vec<Error>) {
    let name = text(&machine.ident);
    if let Some((found, span)) = machine.not_an_enum {
        let message =
            format!("`{name}` is {found}: `StateMachine` is for an enum with a variant for each state");
        errors.push(Error::new(span, message));
    } else if machine.states.is_empty() {
        errors.push(Error::new(
            machine.ident.span(),
            format!("`{name}` has no states: write a variant for each of them"),
        ));
    } else if machine.states.len() > MOST_STATES {
        let message = format!("`{name}` has more than {MOST_STATES} states: move some into nested machines");
        errors.push(Error::new(machine.ident.span(), message));
    }
    if machine.has_generics {
        let message = format!("the states of `{name}` have no parameters: remove `<..>`");
        errors.push(Error::new(machine.ident.span(), message));
    }
}

/// Refuses a module with the name of the enum: both are in the namespace of types.
fn has_a_module_of_its_own(machine: &Machine, errors: &mut Vec<Error>) {
    let name = text(&machine.ident);
    if text(&machine.module) == name {
        let message = format!(
            "the module with the states of `{name}` would have the name of the enum: give it another one by `#[machine(module = name)]`"
        );
        errors.push(Error::new(machine.ident.span(), message));
    }
}

fn has_one_field_at_most(machine: &Machine, errors: &mut Vec<Error>) {
    for state in &machine.states {
        let (name, variant) = (text(&machine.ident), text(&state.ident));
        let fits = matches!(state.fields, Fields::Unit) || state.field().is_some();
        if !fits {
            let message = format!(
                "state `{variant}` of `{name}` has several fields or named ones: write `{variant}(Data)`, and put them into a struct `Data`"
            );
            errors.push(Error::new(state.fields.span(), message));
        } else if let (Some(nested), None) = (&state.nested, state.field()) {
            let message = format!(
                "state `{variant}` of `{name}` has no field for its sub-states: write `{variant}(Machine<SubStates>)`, with an enum `SubStates` that \
                 derives `StateMachine`"
            );
            errors.push(Error::new(nested.span(), message));
        }
    }
}

fn lists_its_own_variants(machine: &Machine, errors: &mut Vec<Error>) {
    let name = text(&machine.ident);
    let known: Vec<String> = machine.states.iter().map(|state| text(&state.ident)).collect();
    for state in &machine.states {
        let Some(targets) = &state.to else { continue };
        for (at, target) in targets.iter().enumerate() {
            let shown = text(target);
            if machine.find(target).is_none() {
                let meant = nearest(&shown, &known).map(|near| format!("did you mean `{near}`? "));
                let (meant, all) = (meant.unwrap_or_default(), list(&known));
                let message = format!("`{name}` has no state `{shown}`: {meant}the states are {all}");
                errors.push(Error::new(target.span(), message));
            } else if targets[..at].contains(target) {
                let from = text(&state.ident);
                let message = format!("`to(..)` of state `{from}` lists `{shown}` twice: remove one");
                errors.push(Error::new(target.span(), message));
            }
        }
    }
}

/// Refuses a state that no machine can enter.
fn every_state_is_reached(machine: &Machine, errors: &mut Vec<Error>) {
    // from the states in which machines begin, along all transitions
    let mut next = machine.initial();
    let first = next.first().map(|at| text(&machine.states[*at].ident)).unwrap_or_default();
    let mut reached = vec![false; machine.states.len()];
    while let Some(at) = next.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            next.extend(machine.targets(at));
        }
    }
    // one error for each state that was not reached
    let name = text(&machine.ident);
    for (state, _) in machine.states.iter().zip(reached).filter(|(_, is_reached)| !is_reached) {
        let variant = text(&state.ident);
        let message = format!(
            "state `{variant}` of `{name}` is never entered: no path of transitions leads from `{first}` to it; list `{variant}` in `#[state(to(..))]` \
             of the state before it, or let machines begin in it by `#[state(initial)]`"
        );
        errors.push(Error::new(state.ident.span(), message));
    }
}
