//! The rules of relations.

use super::component;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::component::Shape;
use crate::model::relation::Relation;
use crate::names::source;

pub(crate) fn check(relation: &Relation, errors: &mut Diagnostics) {
    component::check(&relation.component, errors);
    if relation.has_component_derive {
        let (name, ident) = (relation.component.subject.name(), &relation.component.subject.ident);
        errors.push(ident.wrong(format!(
            "`{name}` derives `Component` and `Relation`, and a relation is a component: write `#[derive(Relation)]` alone, and \
             `#[relation(exclusive)]` for one target, `#[relation(many)]` for any number"
        )));
        return;
    }
    has_a_target(relation, errors);
    has_one_target_in_each_edge(relation, errors);
    has_one_or_many(relation, errors);
    goes_together(relation, errors);
}

fn has_a_target(relation: &Relation, errors: &mut Diagnostics) {
    let (name, ident) = (relation.component.subject.name(), &relation.component.subject.ident);
    let is_said = relation.exclusive.is_some() || relation.many.is_some();
    let option = if is_said { "" } else { "#[relation(exclusive)] " };
    let example = format!("`{option}struct {name}(Entity);`");
    match (relation.fields, relation.marked.as_slice()) {
        (_, [_, second, ..]) => {
            errors
                .push(second.wrong(format!(
                    "relation `{name}` has a second target: mark one field with `#[target]`"
                )));
        }
        (None, _) if matches!(relation.component.shape, Shape::Union(_)) => {} // reported for every component
        (None, _) => {
            errors.push(ident.wrong(format!(
                "relation `{name}` is an enum: a relation is a struct with a target: {example}"
            )))
        }
        (Some(0), _) => errors.at(ident, format!("relation `{name}` has no field for its target: {example}")),
        (Some(1), _) | (Some(_), [_]) => {}
        (Some(count), []) => errors.push(ident.wrong(format!(
            "relation `{name}` has {count} fields: which one is the target? write `#[target]` before it"
        ))),
    }
}

fn has_one_target_in_each_edge(relation: &Relation, errors: &mut Diagnostics) {
    let Some(holder) = &relation.holder else { return };
    let (name, shown) = (relation.component.subject.name(), source(holder));
    let cure = if !shown.contains('<') {
        match relation.fields {
            Some(1) => format!("write `{name}(Entity)`"),
            _ => "write `#[target]` before a field `target: Entity`".to_owned(),
        }
    } else if shown.starts_with("Option") {
        format!("an entity without a target has no `{name}`; write `{name}(Entity)`")
    } else {
        format!(
            "a relation to several targets has one value for each of them: write `{name}(Entity)` and `#[relation(many)]`"
        )
    };
    errors.push(
        holder
            .wrong(format!("relation `{name}` has `{shown}` for its target, which is one `Entity`: {cure}")),
    );
}

fn has_one_or_many(relation: &Relation, errors: &mut Diagnostics) {
    let (name, ident) = (relation.component.subject.name(), &relation.component.subject.ident);
    if let Some(many) = &relation.contradiction {
        errors.push(many.wrong(format!(
            "relation `{name}` is `exclusive` and `many`: an entity has one target, or any number; leave one of the two out"
        )));
    }
    match (&relation.exclusive, &relation.many) {
        // the missing option may be the one with the syntax error; an example has the option
        (None, None) if relation.broken || relation.fields == Some(0) => {}
        (None, None) => errors.push(ident.wrong(format!(
            "relation `{name}` does not say how many targets an entity has: write `#[relation(exclusive)]` for one, \
             `#[relation(many)]` for any number"
        ))),
        _ => {}
    }
}

fn goes_together(relation: &Relation, errors: &mut Diagnostics) {
    let (name, component) = (relation.component.subject.name(), &relation.component);
    if let Some(acyclic) = &relation.acyclic {
        if relation.many.is_some() && relation.exclusive.is_none() {
            errors.push(
                acyclic
                    .wrong(format!("relation `{name}` is `many`: only an `exclusive` one can be `acyclic`")),
            );
        }
        if relation.symmetric.is_some() {
            errors.push(acyclic.wrong(format!(
                "relation `{name}` is `symmetric`: it always leads back, and cannot be `acyclic`"
            )));
        }
    }
    if let Some(to_self) = &relation.to_self {
        let why = match (&relation.symmetric, &relation.acyclic) {
            (Some(_), _) => "`symmetric`, and an entity is not its own partner",
            (_, Some(_)) => "`acyclic`, and a relation to itself is a cycle",
            _ => "",
        };
        if !why.is_empty() {
            errors.push(to_self.wrong(format!("relation `{name}` is {why}: leave `to_self` out")));
        }
    }
    if let Some((option, types)) = &relation.targets {
        component::names_others_once(component, "has targets with", types.iter(), errors);
        if relation.symmetric.is_some() {
            errors.push(option.wrong(format!(
                "relation `{name}` is `symmetric`: each of its sources is a target, too, and may get the component later; leave \
                 `target` out"
            )));
        }
    }
    if component.unique {
        errors.push(component.subject.ident.wrong(format!(
            "relation `{name}` is `unique`: a relation has its own rule; leave `unique` out"
        )));
    }
    if let Some(required) = component.requires.first().filter(|_| relation.many.is_some()) {
        errors.push(required.ty.wrong(format!(
            "relation `{name}` is `many`: only an `exclusive` one can require other components"
        )));
    }
}
