//! The demands of a system on the types that its file declares: its world lists them, and a
//! component has the options for them.
//!
//! As in `place.rs`, these checks exist for shorter messages only. Traits refuse what is not found
//! here: types of other files, or behind an alias.

use syn::Type;

use super::place::Mistake;
use crate::built_in::{Argument, BuiltIn, Needs};
use crate::model::parameter::option;
use crate::names::ungroup;
use crate::source_file::{self, Declaration};

/// A demand on a component.
#[derive(Clone, Copy)]
enum Asked {
    /// It is there.
    Presence,
    /// `&mut T`
    BorrowMut,
    /// A type of the library with the component as its argument, such as `Changed<T>`.
    By(&'static BuiltIn),
}

/// The first type in a parameter that cannot be asked for in this way.
pub(super) fn refused<'a>(world: Option<&str>, ty: &'a Type) -> Option<Mistake<'a>> {
    of_type(world, ty, Asked::Presence)
}

/// The name of a struct with `derive(Query)`.
fn query_struct(ty: &Type) -> Option<String> {
    let Type::Path(path) = ungroup(ty) else { return None };
    let name = path.path.get_ident()?;
    (Declaration::of(name)?.noun() == Some("query")).then(|| name.to_string())
}

fn of_type<'a>(world: Option<&str>, ty: &'a Type, asked: Asked) -> Option<Mistake<'a>> {
    match ungroup(ty) {
        Type::Reference(reference) => {
            let asked = if reference.mutability.is_some() { Asked::BorrowMut } else { Asked::Presence };
            if let Some(query) = query_struct(&reference.elem) {
                return Mistake::at(ty)
                    .says(format!("borrows `{query}`, which is a query: write `Query<{query}>`"));
            }
            of_type(world, &reference.elem, asked)
        }
        Type::Tuple(tuple) => tuple.elems.iter().find_map(|ty| of_type(world, ty, asked)),
        Type::Path(path) => match (option(ty), BuiltIn::named(ty)) {
            (Some(inner), _) => of_type(world, inner, asked),
            (None, Some((built_in, arguments))) => match built_in.argument {
                Argument::Query | Argument::Queries | Argument::Filter => {
                    arguments.iter().find_map(|ty| of_type(world, ty, Asked::Presence))
                }
                Argument::Followed => {
                    let (relation, rest) = arguments.split_first()?;
                    of_type(world, relation, Asked::By(built_in))
                        .or_else(|| rest.iter().find_map(|ty| of_type(world, ty, Asked::Presence)))
                }
                Argument::Component | Argument::Relation | Argument::Resource | Argument::Event => {
                    arguments.iter().find_map(|ty| of_type(world, ty, Asked::By(built_in)))
                }
                Argument::QueryStruct | Argument::World | Argument::Value | Argument::Nothing => None,
            },
            (None, None) => {
                let name = path.path.get_ident()?;
                let unlisted = world.and_then(|world| Some((world, source_file::unlisted(name, world)?)));
                let text = match unlisted {
                    Some((world, noun)) => format!(
                        "asks for the {noun} `{name}`, which world `{world}` does not have: list it in the `world!`, \
                         `{noun}s {{ {name} }}`"
                    ),
                    None if name == "ChildOf" && matches!(asked, Asked::BorrowMut) && !source_file::is_of_the_user(ty) => {
                        "has `&mut ChildOf`, and `ChildOf` is a relation, which is replaced and never changed in place: ask for `&ChildOf`, and \
                         `insert` a new value"
                            .to_owned()
                    }
                    None => {
                        let declared = Declaration::of(name)?;
                        let text = of_component(&name.to_string(), &declared, asked)?;
                        // the derive takes a misspelt option for the one that is meant
                        (declared.has_known_options() && !declared.has_unknown_option()).then_some(text)?
                    }
                };
                Mistake::at(ty).says(text)
            }
        },
        _ => None,
    }
}

/// The message for a component that lacks an option.
fn of_component(name: &str, declared: &Declaration, asked: Asked) -> Option<String> {
    if declared.noun() != Some("component") {
        return None;
    }
    let has = |option| declared.has_option(option);
    let (is_relation, is_tag) = (declared.is_relation(), declared.is_unit());
    let is_replaced = is_relation || has("key") || has("hook") || has("immutable");
    let is_tracked = (has("tracked") && has("immutable")) || !is_replaced && (has("tracked") || has("index"));
    // the option, with the derives that it needs and the type lacks
    let option_with = |option: &str, needed: &[&str]| {
        let lacking: Vec<&str> =
            needed.iter().copied().filter(|derive| !declared.has_derive(derive)).collect();
        match lacking.is_empty() {
            true => format!("`#[component({option})]`"),
            false => format!("`#[component({option})]` and `#[derive({})]`", lacking.join(", ")),
        }
    };
    let replaced = || {
        let why = match (is_relation, has("key"), has("hook")) {
            (true, ..) => "a relation",
            (_, true, _) => "a key",
            (.., true) => "a component with a hook",
            _ => "immutable",
        };
        format!(
            "`{name}` is {why}, which is replaced and never changed in place: ask for `&{name}`, and `insert` a new value"
        )
    };
    match asked {
        Asked::BorrowMut if is_replaced => Some(format!("has `&mut {name}`, and {}", replaced())),
        Asked::BorrowMut if is_tag => Some(format!(
            "has `&mut {name}`, and `{name}` is a tag, which has no value to change: write `With<{name}>`"
        )),
        Asked::BorrowMut if is_tracked => Some(format!(
            "has `&mut {name}`, and `{name}` is tracked, so that `&mut` would hide a change: write `Mut<{name}>`"
        )),
        Asked::By(built_in) => {
            let shown = format!("`{}<{name}>`", built_in.name);
            match built_in.needs {
                Needs::Tracked if is_replaced => Some(format!("has {shown}, and {}", replaced())),
                Needs::Tracked | Needs::Stamps if !is_tracked && !is_relation => Some(match is_replaced {
                    true => format!(
                        "has {shown}, and `{name}` is replaced and never changed in place: `Entered<With<{name}>>` finds the entities that \
                         got one"
                    ),
                    false => format!(
                        "has {shown}, and `{name}` is not tracked: write `#[component(tracked)]` on `{name}`"
                    ),
                }),
                Needs::Removed if !has("removed") => Some(format!(
                    "has {shown}, and the removed values of `{name}` are not kept: write {} on `{name}`; without the values, \
                     `Exited<With<{name}>>` gives the entities",
                    option_with("removed", &["Clone"])
                )),
                Needs::Relation if built_in.follows() && declared.has_relation_option("many") => {
                    Some(format!(
                        "has `{}<{name}, ..>`, and an entity has many targets by `{name}`: `relations` of `Related<{name}>` gives them",
                        built_in.name
                    ))
                }
                Needs::Relation if !is_relation => Some(format!(
                    "has {shown}, and `{name}` is no relation: write `#[derive(Relation)]` on it, in place of `Component`, and `#[relation(exclusive)]` or `#[relation(many)]`"
                )),
                Needs::Component if built_in.name == "Lookup" && !has("index") && !has("key") => {
                    Some(format!(
                        "has {shown}, and `{name}` has no index: write {} on `{name}`, or `key` if no two entities have the same value",
                        option_with("index", &["Clone", "PartialEq", "Eq", "Hash"])
                    ))
                }
                _ => None,
            }
        }
        _ => None,
    }
}
