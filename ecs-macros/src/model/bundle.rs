//! A bundle: fields that are components or bundles.

use proc_macro2::{Ident, Span};
use syn::{Data, Member, Type};

use super::parameter::{meant_input, named, option};
use super::subject::Subject;
use crate::names::{Ecs, source};
use crate::parse::derive::Derive;
use crate::source_file;

/// A field.
pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) ty: Type,
    /// An earlier field whose type has the same tokens.
    pub(crate) same_as: Option<Member>,
}

/// A bundle.
pub(crate) struct Bundle {
    pub(crate) ecs: Ecs,
    pub(crate) subject: Subject,
    pub(crate) fields: Vec<Field>,
    /// The keyword of an item that is not a struct.
    pub(crate) not_a_struct: NotAStruct,
    /// Whether a mistake in its fields was reported, so that uses of the bundle cause no further
    /// messages.
    pub(crate) broken: bool,
}

impl Bundle {
    pub(crate) fn new(parsed: Derive) -> Self {
        let (mut fields, not_a_struct) = fields(&parsed.item.data);
        let is_wrong = |ty: &Type| option(ty).is_some() || plain(ty).is_some();
        if let Data::Struct(data) = &parsed.item.data {
            // a field with an option of its own was reported
            let has_option = |field: &syn::Field| field.attrs.iter().any(|it| it.path().is_ident("bundle"));
            let mut reported = data.fields.iter().map(has_option);
            fields.retain(|(_, ty)| reported.next() != Some(true) || !is_wrong(ty));
        }
        let broken = parsed.misplaced || fields.iter().any(|(_, ty)| is_wrong(ty)) || not_a_struct.is_some();
        let subject = Subject::new(&parsed.item);
        Self { ecs: parsed.ecs, subject, fields: compare(fields), not_a_struct, broken }
    }
}

/// A type of the standard library, which is no component: a number, a text or a collection.
pub(crate) fn plain(ty: &Type) -> Option<&Type> {
    const COLLECTIONS: [&str; 6] = ["Vec", "Box", "Arc", "HashMap", "HashSet", "BTreeMap"];
    let is_collection = || named(ty).is_some_and(|(name, _)| COLLECTIONS.contains(&name.as_str()));
    let is_plain = meant_input(ty).is_some() || is_collection() || is_static(ty);
    (is_plain && !source_file::is_of_the_user(ty)).then_some(ty)
}

/// Whether it is `&'static str` or the like. Another lifetime is reported where it is declared.
fn is_static(ty: &Type) -> bool {
    let Type::Reference(reference) = ty else { return false };
    reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static")
}

/// An enum or a union with the derive of a struct, and its keyword.
pub(crate) type NotAStruct = Option<(&'static str, Span)>;

/// The fields of a struct, or the keyword of another item.
pub(crate) fn fields(data: &Data) -> (Vec<(Member, Type)>, NotAStruct) {
    match data {
        Data::Struct(data) => {
            let types = data.fields.iter().map(|field| field.ty.clone());
            (data.fields.members().zip(types).collect(), None)
        }
        Data::Enum(data) => (Vec::new(), Some(("an enum", data.enum_token.span))),
        Data::Union(data) => (Vec::new(), Some(("a union", data.union_token.span))),
    }
}

fn compare(fields: Vec<(Member, Type)>) -> Vec<Field> {
    let mut seen: Vec<(String, Member)> = Vec::new();
    let mut compared = Vec::new();
    for (member, ty) in fields {
        let spelled = source(&ty);
        let same_as = seen.iter().find(|(earlier, _)| *earlier == spelled).map(|(_, member)| member.clone());
        seen.push((spelled, member.clone()));
        compared.push(Field { member, ty, same_as });
    }
    compared
}

/// A field's name for messages.
pub(crate) fn shown(member: &Member) -> String {
    match member {
        Member::Named(name) => crate::names::text(name),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// The variable that holds the value of field `index`.
pub(crate) fn variable(index: usize) -> Ident {
    quote::format_ident!("__f{index}")
}
