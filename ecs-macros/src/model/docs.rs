//! The documentation of a type, its fields and its variants.

use syn::{Attribute, Data, DeriveInput, Expr, ExprLit, Fields, Lit, Meta};

use crate::names::text;

/// The paths and texts of all documentation: `""` for the type, `now` for a field, `Dragon` for a
/// variant, `Dragon.heads` for a field of one. Empty without the feature `reflect`.
pub(crate) fn of(item: &DeriveInput) -> Vec<(String, String)> {
    let mut docs = Vec::new();
    if !cfg!(feature = "reflect") {
        return docs;
    }
    let mut add = |path: String, attributes: &[Attribute]| {
        let text = text_of(attributes);
        if !text.is_empty() {
            docs.push((path, text));
        }
    };
    add(String::new(), &item.attrs);
    match &item.data {
        Data::Struct(data) => of_fields("", &data.fields, &mut add),
        Data::Enum(data) => {
            for variant in &data.variants {
                let name = text(&variant.ident);
                of_fields(&format!("{name}."), &variant.fields, &mut add);
                add(name, &variant.attrs);
            }
        }
        Data::Union(_) => {}
    }
    docs
}

fn of_fields(before: &str, fields: &Fields, add: &mut impl FnMut(String, &[Attribute])) {
    for (index, field) in fields.iter().enumerate() {
        let name = field.ident.as_ref().map_or_else(|| index.to_string(), text);
        add(format!("{before}{name}"), &field.attrs);
    }
}

/// The text of the comments that begin with `///`, without the space at the beginning of each line.
pub(super) fn text_of(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
            Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) => Some(line.value()),
            _ => None,
        },
        _ => None,
    });
    let lines: Vec<String> =
        lines.map(|line| line.strip_prefix(' ').unwrap_or(&line).trim_end().to_owned()).collect();
    lines.join("\n").trim().to_owned()
}
