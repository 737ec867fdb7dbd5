//! The rules of states.

use super::marker::has_parts;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::states::States;
use crate::names::{list, nearest, text};
use crate::parse::states::Targets;

pub(crate) fn check(states: &States, errors: &mut Diagnostics) {
    is_an_enum_with_variants(states, errors);
    is_not_generic(states, errors);
    has_a_module_of_its_own(states, errors);
    begins_without_data(states, errors);
    has_one_resource(states, errors);
    lists_its_own_variants(states, errors);
}

fn is_an_enum_with_variants(states: &States, errors: &mut Diagnostics) {
    let name = states.subject.name();
    let of = "`States` is for an enum with a variant for each state; a variant may have data";
    let (other, empty) = (
        |found: &str| format!("`{name}` is {found}: {of}"),
        format!("`{name}` has no states: write a variant for each of them"),
    );
    let item = (&states.subject.ident, states.variants.is_empty());
    has_parts(states.not_an_enum, item, other, &empty, errors);
}

/// Refuses parameters: each variant becomes a type of its own, without parameters.
fn is_not_generic(states: &States, errors: &mut Diagnostics) {
    if states.subject.is_generic() || !states.subject.lifetimes.is_empty() {
        errors.at(
            &states.subject.ident,
            format!("the states of `{}` have no parameters: remove `<..>`", states.subject.name()),
        );
    }
}

/// Refuses a module with the name of the enum: both are in the namespace of types.
fn has_a_module_of_its_own(states: &States, errors: &mut Diagnostics) {
    if states.has_name_of_enum() {
        let name = states.subject.name();
        errors.push(states.subject.ident.wrong(format!(
            "the module with the states of `{name}` would have the name of the enum: give it another one by \
             `#[states(module = name)]`"
        )));
    }
}

/// Refuses data of the state that is entered with the parent: nobody gives it.
fn begins_without_data(states: &States, errors: &mut Diagnostics) {
    let Some(first) = states.variants.first().filter(|_| states.within.is_some()) else { return };
    if let Some(fields) = &first.fields {
        let (name, variant) = (states.subject.name(), text(&first.ident));
        errors.push(fields.wrong(format!(
            "`{name}::{variant}` is entered with the parent, which has no data for it: write a variant without fields \
             before it"
        )));
    }
}

fn has_one_resource(states: &States, errors: &mut Diagnostics) {
    if let (Some(computed), Some(_)) = (&states.computed, &states.within) {
        errors.at(
            computed,
            format!(
                "`{}` is computed by a system, and has no parent: remove `within`, and let the system return `None` outside of it",
                states.subject.name()
            ),
        );
    }
}

fn lists_its_own_variants(states: &States, errors: &mut Diagnostics) {
    let name = states.subject.name();
    let known: Vec<String> = states.variants.iter().map(|state| text(&state.ident)).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    for state in &states.variants {
        let Targets::Listed(targets) = &state.targets else { continue };
        for (at, target) in targets.iter().enumerate() {
            let shown = text(target);
            if states.find(target).is_none() {
                let meant = nearest(&shown, &known).map(|near| format!("did you mean `{near}`? "));
                let (meant, all) = (meant.unwrap_or_default(), list(&known));
                errors.at(target, format!("`{name}` has no state `{shown}`: {meant}the states are {all}"));
            } else if targets[..at].contains(target) {
                let from = text(&state.ident);
                errors.at(target, format!("`to(..)` of state `{from}` lists `{shown}` twice: remove one"));
            }
        }
    }
}
