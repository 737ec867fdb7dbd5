//! The places of a derive's attributes. rustc accepts them before the item, its variants and its
//! fields, and most of them mean something at one of these only: elsewhere they are an error, since
//! they would have no effect.

use syn::{Attribute, Data, DeriveInput, Fields, Meta};

use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::{source, text};
use crate::source_file::Declaration;

/// A place of an attribute.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum At {
    Item,
    Variant,
    Field,
    /// The attribute belongs to another derive.
    Nowhere,
}

/// An attribute of a derive, and a place where it means something. An attribute with several places
/// has several rows.
pub(crate) type Placed = (&'static str, At);

/// Advice for the first word of the options of attributes. `{}` is the name of the field or the
/// variant.
const HINTS: [(&[&str], &[&str], &str); 5] = [
    (&["states"], &["to"], "; the transitions of a variant are `#[state(to(..))]`"),
    (&["component"], &["index", "key"], ", and name the field, `index = {}` or `key = {}`"),
    (&["relation"], &["target"], "; the field with the target has `#[target]`"),
    (&["bundle", "query", "system_param"], &["ignore", "skip"], ", and the field"),
    (
        &["component", "relation", "resource", "event"],
        &["skip", "ignore"],
        "; a field that is not saved has `#[serde(skip)]`",
    ),
];

/// The words that several derives have as options.
const OPTIONS: [(&str, &[&str]); 3] = [
    ("component", &["tracked", "skip", "hidden"]),
    ("resource", &["tracked", "skip", "hidden"]),
    ("event", &["skip", "hidden"]),
];

/// The attributes without any option for a part of the item.
const OF_ITEMS: [&str; 4] = ["bundle", "query", "system_param", "aspect"];

/// The message for an attribute that does not stand before the item, behind the owner's name. `{}`
/// is the item.
const CURES: [(&str, At, &str); 4] = [
    ("state", At::Variant, "`#[state(..)]` stands before the variant from which the state changes"),
    ("target", At::Field, "`#[target]` stands before the field with the target"),
    (
        "target",
        At::Nowhere,
        "`#[target]` is for `#[derive(Relation)]`: write it in place of `#[derive(Component)]`, with `#[relation(exclusive)]`, or \
         `#[relation(many)]` for any number of targets",
    ),
    ("one_of", At::Field, "`#[one_of]` stands before a field of a variant"),
];

/// Reports each of the attributes that stands at another place. `noun` is that of the item for
/// messages.
pub(crate) fn check(item: &DeriveInput, noun: &str, placed: &[Placed], errors: &mut Diagnostics) {
    let subject = format!("{noun} `{}`", text(&item.ident));
    let (word, mut fields): (_, Vec<&Fields>) = match &item.data {
        Data::Struct(data) => ("struct", vec![&data.fields]),
        Data::Enum(_) => ("enum", Vec::new()),
        Data::Union(_) => ("union", Vec::new()),
    };
    let mut check = |attributes: &[Attribute], at: At, owner: &str| {
        for attribute in attributes {
            let Some(name) = attribute.path().get_ident().map(text) else { continue };
            if let (At::Item, Meta::List(list), Some(own)) =
                (at, &attribute.meta, of_another_derive(item, &name, placed))
            {
                let options = list.tokens.to_string();
                let is_known = OPTIONS.iter().any(|(of, words)| *of == own && words.contains(&&*options));
                let cure = match is_known {
                    true => format!("write `#[{own}({options})]`"),
                    false => "remove it".to_owned(),
                };
                let derive = derive_of(&name);
                errors.push(attribute.wrong(format!(
                    "{subject}: `#[{name}(..)]` is for `#[derive({derive})]`, and does nothing here: {cure}"
                )));
                continue;
            }
            let own: Vec<At> = placed.iter().filter(|(own, _)| *own == name).map(|(_, at)| *at).collect();
            let is_empty = matches!(&attribute.meta, Meta::List(list) if list.tokens.is_empty());
            let Some(place) = own.first().filter(|_| !own.contains(&at) && !is_empty) else { continue };
            if name == "state"
                && at == At::Item
                && ["within", "module"].iter().any(|word| source(attribute).contains(word))
            {
                let right = source(attribute).replacen("state", "states", 1);
                errors.push(attribute.wrong(format!(
                    "{owner}: the options of the enum have the name `states`: write `{right}`"
                )));
                continue;
            }
            let cure = CURES.iter().find(|(own, at, _)| *own == name && at == place);
            let message = match cure {
                Some((_, _, cure)) => format!("{owner}: {cure}"),
                None if OF_ITEMS.contains(&name.as_str()) => {
                    let hint = hint(attribute, &name, owner);
                    format!("{owner} of {subject} has no options: remove `{}`{hint}", source(attribute))
                }
                None => {
                    let hint = hint(attribute, &name, owner);
                    format!("{owner}: the options of {subject} stand before the `{word}`{hint}")
                }
            };
            errors.at(attribute, message);
        }
    };
    check(&item.attrs, At::Item, &subject);
    if let Data::Enum(data) = &item.data {
        for variant in &data.variants {
            check(&variant.attrs, At::Variant, &format!("variant `{}`", text(&variant.ident)));
            fields.push(&variant.fields);
        }
    }
    for (field, member) in fields.into_iter().flat_map(|fields| fields.iter().zip(fields.members())) {
        check(&field.attrs, At::Field, &format!("field `{}`", crate::model::bundle::shown(&member)));
    }
}

/// The derive of an attribute.
fn derive_of(attribute: &str) -> &'static str {
    match attribute {
        "component" => "Component",
        "resource" => "Resource",
        _ => "Event",
    }
}

/// The attribute of the derive, if `name` is that of another derive, which the item does not have
/// as its file shows: it would mean nothing.
fn of_another_derive(item: &DeriveInput, name: &str, placed: &[Placed]) -> Option<&'static str> {
    let own = placed.iter().find(|(_, at)| *at == At::Item)?.0;
    let is_of_another = ["component", "resource", "event"].contains(&name) && own != name;
    let declared = Declaration::of(&item.ident).filter(|_| is_of_another)?;
    let derives = |derive| declared.has_derive(derive);
    let has_its_derive = derives(derive_of(name)) || name == "component" && derives("Relation");
    (!has_its_derive && declared.has_known_options()).then_some(own)
}

/// The advice for the first word of the options. `owner` is the field or the variant, such as
/// ``field `name` ``.
fn hint(attribute: &Attribute, name: &str, owner: &str) -> String {
    let Meta::List(options) = &attribute.meta else { return String::new() };
    let word = options.tokens.clone().into_iter().next().map(|word| word.to_string()).unwrap_or_default();
    let is_hint =
        |(of, words, _): &&(&[&str], &[&str], &str)| of.contains(&name) && words.contains(&word.as_str());
    let field = owner.split('`').nth(1).unwrap_or_default();
    HINTS.iter().find(is_hint).map(|(_, _, hint)| hint.replace("{}", field)).unwrap_or_default()
}
