//! The rules of structs of parameters.

use super::marker::has_parts;
use super::place::{self, Owner};
use crate::built_in::{Argument, BuiltIn, Role};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::lifetimes;
use crate::model::bundle::shown;
use crate::model::field_struct::{Field, FieldStruct};
use crate::names::source;
use crate::types::find_macro;

pub(crate) fn check(param: &FieldStruct, errors: &mut Diagnostics) {
    let name = param.name();
    let (other, empty) = (
        |found: &str| format!("`{name}` is {found}: write a struct with a field for each parameter"),
        format!("`{name}` has no fields: each field is a parameter, such as `clock: Res<'w, Clock>`"),
    );
    has_parts(param.not_a_struct, (&param.ident, param.fields.is_empty()), other, &empty, errors);
    for field in &param.fields {
        let member = shown(&field.member);
        if let Some(found) = find_macro(&field.ty) {
            errors.at(found, format!("`{name}`: field `{member}` has a macro in its type: write the type out, or name it with `type`"));
            continue;
        }
        let owner = Owner { name: &member, world: None, query: Some(&name) };
        if let Some(mistake) = place::of_param_field(&owner, &field.ty) {
            errors.at(mistake.at, format!("`{name}`: field `{member}` {}", mistake.text));
            continue;
        }
        borrows_for_the_struct(param, field, errors);
    }
}

/// Refuses `'static` as the lifetime of a parameter, and the struct's lifetime in a query.
fn borrows_for_the_struct(param: &FieldStruct, field: &Field, errors: &mut Diagnostics) {
    let (name, member, own) = (param.name(), shown(&field.member), param.lifetimes());
    let ty = place::optional_single(&field.ty).unwrap_or(&field.ty);
    let Some((built_in, arguments)) = BuiltIn::of(ty).filter(|(it, _)| it.role == Role::Parameter) else {
        return;
    };
    let of_struct = own.first().map_or_else(|| "'w".to_owned(), ToString::to_string);
    if let Some(first) = lifetimes::of_path(ty).into_iter().next().filter(|first| first.ident == "static") {
        let declare =
            if own.is_empty() { format!("declare `struct {name}<'w>` and ") } else { String::new() };
        errors.push(first.wrong(format!(
            "`{name}`: field `{member}` borrows for `'static`: {declare}write `{}`",
            source(ty).replacen("'static", &of_struct, 1)
        )));
        return;
    }
    // the lifetimes `'w, 's` of bevy
    if let [first, second, ..] = &lifetimes::of_path(ty)[..] {
        let right = source(ty).replacen(&format!("{second}, "), "", 1);
        errors.push(second.wrong(format!(
            "`{name}`: field `{member}` has the lifetimes `{first}` and `{second}`, and a parameter has one: write `{right}` and \
             `struct {name}<{of_struct}>`"
        )));
        return;
    }
    if !matches!(built_in.argument, Argument::Query | Argument::Queries) {
        return;
    }
    for argument in arguments {
        if let Some(found) = lifetimes::in_type(argument).into_iter().find(|found| own.contains(found)) {
            let right = lifetimes::replaced(argument, &own, "'static");
            errors.push(found.wrong(format!(
                "`{name}`: field `{member}` has the lifetime `{found}` within its query, where the data has `'static`: write `{}<{of_struct}, {}>`",
                built_in.name,
                source(&right)
            )));
            return;
        }
    }
}
