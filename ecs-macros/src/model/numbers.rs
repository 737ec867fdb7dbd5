//! The fields of a component whose fields are numbers and arrays of numbers.
//!
//! The macro sees the names of types only. The library checks the types (`base/plain.rs` of `ecs`),
//! because a program may have a type `f32` of its own.

use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Member, Meta, Token, Type};

use crate::words::{has_word, is_primitive};

/// A field with the depth of its arrays: 0 for a number.
pub(crate) type NumberField = (Member, usize);

/// The fields of a struct if all of them are numbers by their names, and no attribute changes how
/// they are written and read; otherwise none.
pub(crate) fn of(item: &DeriveInput) -> Vec<NumberField> {
    let Data::Struct(data) = &item.data else { return Vec::new() };
    let attributes = data.fields.iter().flat_map(|field| &field.attrs).chain(&item.attrs);
    let changes = |attribute: &Attribute| {
        attribute.path().is_ident("serde") || attribute.path().is_ident("reflect") || is_packed(attribute)
    };
    if attributes.into_iter().any(changes) {
        return Vec::new();
    }
    let fields = data.fields.members().zip(&data.fields);
    fields.map(|(member, field)| Some((member, depth(&field.ty)?))).collect::<Option<_>>().unwrap_or_default()
}

/// The depth of arrays around a number; `None` for another type.
fn depth(ty: &Type) -> Option<usize> {
    match ty {
        Type::Array(array) => Some(depth(&array.elem)? + 1),
        Type::Group(group) => depth(&group.elem),
        Type::Path(path) if path.qself.is_none() => {
            let name = path.path.get_ident()?.to_string();
            (is_primitive(&name) && !has_word("char isize usize", &name)).then_some(0)
        }
        _ => None,
    }
}

/// Whether an attribute is a `repr` with `packed`: no reference to a field of such a struct is
/// allowed.
pub(crate) fn is_packed(attribute: &Attribute) -> bool {
    attribute.path().is_ident("repr")
        && attribute
            .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .is_ok_and(|options| options.iter().any(|option| option.path().is_ident("packed")))
}
