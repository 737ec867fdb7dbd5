//! Query data with names, as far as the tokens of its fields show what they borrow.

use syn::Type;

use super::field_struct::FieldStruct;
use super::parameter::option;
use crate::built_in::{BuiltIn, Flag, Role};
use crate::names::ungroup;

impl FieldStruct {
    /// Whether an element is a `&` without a lifetime, which the compiler reports for the struct.
    pub(crate) fn leaves_out_a_borrow(&self) -> bool {
        self.lifetimes().is_empty() && self.fields.iter().any(|field| leaves_out_a_lifetime(&field.ty))
    }

    /// Whether an element is `&mut`.
    pub(crate) fn writes(&self) -> bool {
        self.fields.iter().any(|field| writes(&field.ty))
    }

    /// Whether no element can write: false if a type may be an alias or another query struct.
    pub(crate) fn only_reads(&self) -> bool {
        !self.fields.is_empty() && self.fields.iter().all(|field| only_reads(&field.ty))
    }

    /// Whether each element is a borrow or `Entity`, so that rows are slices.
    pub(crate) fn has_slices(&self) -> bool {
        !self.fields.is_empty() && self.fields.iter().all(|field| has_slices(&field.ty))
    }

    /// Whether a parameter has no lifetime, which the compiler reports for the struct.
    pub(crate) fn leaves_out_a_parameter(&self) -> bool {
        self.fields.iter().any(|field| {
            BuiltIn::of(&field.ty).is_some_and(|(built_in, _)| built_in.role == Role::Parameter)
                && crate::lifetimes::of_path(&field.ty).is_empty()
        })
    }
}

/// Whether the element is a reference without a lifetime, or an `Option` or a tuple of one.
fn leaves_out_a_lifetime(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Reference(reference) => reference.lifetime.is_none(),
        Type::Tuple(tuple) => tuple.elems.iter().any(leaves_out_a_lifetime),
        _ => option(ty).is_some_and(leaves_out_a_lifetime),
    }
}

/// Whether the element is `&mut T`, `Mut<T>`, an `Option` of those, or a tuple with one of them.
fn writes(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Reference(reference) => reference.mutability.is_some(),
        Type::Tuple(tuple) => tuple.elems.iter().any(writes),
        Type::Path(_) => match BuiltIn::named(ty) {
            Some((built_in, _)) => built_in.role == Role::Element && built_in.is(Flag::Mutable),
            None => option(ty).is_some_and(writes),
        },
        _ => false,
    }
}

/// Whether the element is `&T`, `&mut T`, `Entity`, `Ref<T>`, `Mut<T>`, or a tuple of these.
fn has_slices(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Reference(_) => true,
        Type::Tuple(tuple) => !tuple.elems.is_empty() && tuple.elems.iter().all(has_slices),
        ty => {
            BuiltIn::named(ty).is_some_and(|(built_in, _)| ["Entity", "Ref", "Mut"].contains(&built_in.name))
        }
    }
}

/// Whether the element is `&T`, `Ref<T>`, an `Option` of those, `Is<T>`, `Entity`, or a tuple of
/// these.
fn only_reads(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Tuple(tuple) => tuple.elems.iter().all(only_reads),
        Type::Path(_) => match BuiltIn::named(ty) {
            Some((built_in, _)) => built_in.role == Role::Element && !built_in.is(Flag::Mutable),
            None => option(ty).is_some_and(only_reads),
        },
        _ => false,
    }
}
