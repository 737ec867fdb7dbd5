//! The rules of query structs.

use super::marker::has_parts;
use super::place::{self, Owner};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::lifetimes;
use crate::model::bundle::shown;
use crate::model::field_struct::FieldStruct;
use crate::names::source;
use crate::types::find_macro;

pub(crate) fn check(query: &FieldStruct, errors: &mut Diagnostics) {
    is_a_struct_with_named_fields(query, errors);
    borrows_once(query, errors);
    fields_borrow_for_the_struct(query, errors);
    fields_stand_in_their_place(query, errors);
    for field in &query.fields {
        if let Some(found) = find_macro(&field.ty) {
            let (name, member) = (query.name(), source(&field.member));
            errors.at(found, format!("query `{name}`: field `{member}` has a macro in its type: write the type out, or name it with `type`"));
        }
    }
}

fn is_a_struct_with_named_fields(query: &FieldStruct, errors: &mut Diagnostics) {
    let name = query.name();
    let (other, empty) = (
        |found: &str| format!("query `{name}` is {found}: a query is a struct with named fields"),
        format!(
            "query `{name}` is a query without elements: it has nothing to match; give it a field, or `Entity` for every entity"
        ),
    );
    has_parts(query.not_a_struct, (&query.ident, query.fields.is_empty()), other, &empty, errors);
    if query.unnamed && !query.fields.is_empty() {
        let message = format!("query `{name}` has fields without names: name them, or query a tuple");
        errors.at(&query.ident, message);
    }
}

fn borrows_once(query: &FieldStruct, errors: &mut Diagnostics) {
    let name = query.name();
    let mut lifetimes = query.lifetimes().into_iter();
    let Some(first) = lifetimes.next() else { return };
    for lifetime in lifetimes {
        errors.push(lifetime.wrong(format!(
            "query `{name}` has a second lifetime `{lifetime}`: everything it borrows is the \
                world's; use `{first}`"
        )));
    }
}

fn fields_stand_in_their_place(query: &FieldStruct, errors: &mut Diagnostics) {
    let name = query.name();
    for field in &query.fields {
        let member = shown(&field.member);
        let owner = Owner { name: &member, world: None, query: Some(&name) };
        if let Some(mistake) = place::of_field(&owner, &field.ty) {
            errors.at(mistake.at, format!("query `{name}`: field `{member}` {}", mistake.text));
        }
    }
}

fn fields_borrow_for_the_struct(query: &FieldStruct, errors: &mut Diagnostics) {
    let name = query.name();
    let own: Vec<_> = query.lifetimes();
    for field in &query.fields {
        for lifetime in lifetimes::in_type(&field.ty).iter().filter(|lifetime| !own.contains(lifetime)) {
            let cure = match own.first() {
                Some(first) => format!("use `{first}`"),
                None => format!("declare `struct {name}<'a>` and use `'a`"),
            };
            if lifetime.ident == "static" {
                let field = shown(&field.member);
                errors.push(
                    lifetime
                        .wrong(format!("field `{field}` of query `{name}` borrows for `'static`: {cure}")),
                );
                if own.is_empty() {
                    return; // one message advises how to correct all fields
                }
            }
        }
    }
}
