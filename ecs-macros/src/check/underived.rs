//! Listed types without their derive. The compiler would report each use of such a type.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Type, parse_quote, parse_quote_spanned};

use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::aspect::Aspect;
use crate::model::bundle::{plain, shown};
use crate::model::parameter::named;
use crate::model::world::{Entry, Section, World};
use crate::names::{Ecs, article, source, ungroup};
use crate::source_file;

/// Refuses types that the file declares as something else, a collection of a component, and a type
/// without its type arguments. A collection is listed as the component itself, the others not at
/// all, so that no other error follows.
pub(crate) fn check_lists(world: &mut World, errors: &mut Diagnostics) {
    let title = world.title();
    lists_own_types(&mut world.components, &title, errors);
    let mut of_other_sections = Vec::new();
    for (&Section { noun, derive, .. }, entries) in world.sections_mut() {
        entries.retain_mut(|entry| {
            let is_included = entry.included.is_some();
            is_included || is_of_its_section(entry, noun, derive, &title, &mut of_other_sections, errors)
        });
        for (index, entry) in entries.iter_mut().enumerate() {
            entry.index = index;
        }
    }
    for (of, mut entry) in of_other_sections {
        let section = if of == "event" { &mut world.events } else { &mut world.components };
        if section.iter().all(|other| source(&other.ty) != source(&entry.ty)) {
            entry.field = format_ident!("{}_as_{of}", entry.field);
            entry.event.broken = true;
            entry.index = section.len();
            entry.value = None;
            section.push(entry);
        }
    }
}

/// Whether the entry stays in its section. A component or an event in another section is put into
/// `of_other_sections`: systems may use it as what its derive says.
fn is_of_its_section(
    entry: &mut Entry,
    noun: &str,
    derive: &str,
    title: &str,
    of_other_sections: &mut Vec<(&'static str, Entry)>,
    errors: &mut Diagnostics,
) -> bool {
    let Type::Path(path) = ungroup(&entry.ty) else { return true };
    let Some(name) = path.path.get_ident().cloned() else { return true };
    let Some(declared) = source_file::Declaration::of(&name) else {
        return !source_file::is_alias_with_derive(&name);
    };
    let Some(other) = declared.has_another_derive(derive) else { return true };
    let is_state = other == "enum of states" && noun == "resource";
    let cure = match other {
        "component" | "resource" | "event" => {
            format!("list it in `{other}s {{ .. }}`, or write `#[derive({derive})]` in place of its derive")
        }
        "bundle" | "aspect" => "list its components".to_owned(),
        "enum of states" => {
            let first = entry.value.as_ref().map_or_else(|| format!("{name}::First"), source);
            format!("write `State<{name}> = State::new({first})` among the resources")
        }
        _ => "systems take it as a parameter, and a world has no value of it: leave it out".to_owned(),
    };
    let article = article(other);
    errors.at(&name, format!("{title} lists `{name}`, {article} {other}, among its {noun}s: {cure}"));
    if let (true, Some(value)) = (is_state, &entry.value) {
        let ecs = Ecs::default();
        entry.value = Some(parse_quote!(#ecs::State::new(#value)));
        entry.ty = parse_quote_spanned!(name.span()=> #ecs::State<#name>);
        return true;
    }
    if let "component" | "event" = other {
        of_other_sections.push((other, entry.clone()));
    }
    // the world makes it what it lists
    declared.item_of_another_derive(derive).is_some()
}

fn lists_own_types(components: &mut Vec<Entry>, title: &str, errors: &mut Diagnostics) {
    let listed: Vec<String> = components.iter().map(|entry| source(&entry.ty)).collect();
    components.retain_mut(|entry| {
        let Type::Path(path) = ungroup(&entry.ty) else { return true };
        if let (Some(_), Some((_, inner))) = (plain(&entry.ty), named(&entry.ty)) {
            let Some(inner) = inner.first().map(|inner| (*inner).clone()) else { return true };
            let (shown, one) = (source(&entry.ty), source(&inner));
            errors.push(entry.ty.wrong(format!(
                "{title}, section `components`: `{shown}` is no component: write `{one}`, of which each entity has its own, or a struct \
                 with `#[derive(Component)]` and a field of this type"
            )));
            entry.ty = inner;
            return !listed.contains(&one);
        }
        if let Some(right) = listed_relation(&entry.ty) {
            let (shown, one) = (source(&entry.ty), source(&right));
            let one = one.rsplit("::").next().unwrap_or_default().to_owned();
            let (option, has) = match shown.starts_with("Many") {
                true => ("exclusive", "one target"),
                false => ("many", "any number of targets"),
            };
            errors.push(entry.ty.wrong(format!(
                "{title}, section `components`: write `{one}` in place of `{shown}`: the relation is `{option}`, and an entity has {has}"
            )));
            entry.ty = right;
            return !listed.contains(&one);
        }
        let declared = path.path.get_ident().and_then(source_file::Declaration::of);
        let Some(parameter) = declared.and_then(|declared| declared.type_parameter("Component")) else {
            return true;
        };
        let shown = source(&entry.ty);
        let used = path.path.get_ident().and_then(|name| source_file::used_with(name, &parameter));
        let right = used.as_ref().map_or_else(|| format!("{shown}<..>"), source);
        errors.push(entry.ty.wrong(format!(
            "{title}, section `components`: `{shown}` has the parameter `{parameter}`: list it with a type in its place, `{right}`"
        )));
        let Some(used) = used else { return false };
        entry.ty = used;
        !listed.contains(&right)
    });
}

/// The right entry for `Many` of a relation with one target, and for a relation with many targets
/// without `Many`, as far as the file shows the options of the relation.
fn listed_relation(ty: &Type) -> Option<Type> {
    let many = named(ty).filter(|(name, _)| name == "Many").and_then(|(_, inner)| inner.first().copied());
    let Type::Path(path) = ungroup(many.unwrap_or(ty)) else { return None };
    let name = path.path.get_ident()?;
    let declared = source_file::Declaration::of(name)?;
    let is = |option| declared.has_relation_option(option);
    if !declared.is_relation() || !declared.has_known_options() {
        return None;
    }
    match many {
        Some(_) => (is("exclusive") && !is("many")).then(|| parse_quote!(#name)),
        None => {
            let ecs = Ecs::default();
            (is("many") && !is("exclusive")).then(|| parse_quote_spanned!(name.span()=> #ecs::Many<#name>))
        }
    }
}

/// Types without their derive, which the world derives for them, so that no other error follows.
pub(crate) struct Underived {
    pub(crate) components: Vec<TokenStream>,
    pub(crate) resources: Vec<TokenStream>,
    pub(crate) events: Vec<TokenStream>,
    pub(crate) states: Vec<TokenStream>,
}

/// Reports the listed types that the file declares without their derive. Returns their items.
///
/// A type that the file declares with lifetimes, which its derive reports, gets `'static` for them:
/// each use of the type would be an error of the compiler.
pub(crate) fn check(world: &mut World, errors: &mut Diagnostics) -> Underived {
    let title = world.title();
    let mut of = |entries: &mut [Entry], noun: &str, derive: &str| -> Vec<TokenStream> {
        let own = entries.iter_mut().filter(|entry| entry.included.is_none());
        let found = own.filter_map(|entry| {
            let Type::Path(path) = ungroup(&entry.ty) else { return None };
            let name = path.path.get_ident()?.clone();
            let declared = source_file::Declaration::of(&name)?;
            let lifetimes = std::iter::repeat_n(quote!('static), declared.lifetimes(derive));
            if lifetimes.len() > 0 {
                entry.ty = parse_quote_spanned!(name.span()=> #name<#(#lifetimes),*>);
            }
            underived(&declared, &name, &title, noun, derive, errors)
        });
        found.collect()
    };
    let components = of(&mut world.components, "component", "Component");
    let resources = of(&mut world.resources, "resource", "Resource");
    let events = of(&mut world.events, "event", "Event");
    let own = world.resources.iter().filter(|entry| entry.included.is_none());
    let states = own.filter_map(|entry| {
        let (kind, arguments) = named(&entry.ty)?;
        let [Type::Path(path)] = arguments[..] else { return None };
        let name = path.path.get_ident().filter(|_| kind == "State")?;
        let declared = source_file::Declaration::of(name)?;
        underived(&declared, name, &title, "enum of states", "States", errors)
    });
    Underived { states: states.collect(), components, resources, events }
}

/// Reports the declared type if it has no derive of `derive`, and returns its item.
fn underived(
    declared: &source_file::Declaration,
    name: &Ident,
    title: &str,
    noun: &str,
    derive: &str,
    errors: &mut Diagnostics,
) -> Option<TokenStream> {
    if let Some(item) = declared.item_of_another_derive(derive) {
        return item.parse().ok(); // its list is reported
    }
    let underived = declared.without_derive(derive)?;
    if !underived.is_reported {
        errors.at(
            name,
            format!("{title} lists `{name}`, which is no {noun}: write `#[derive({derive})]` on `{name}`"),
        );
    }
    underived.item.parse().ok()
}

/// Reports the fields of an aspect whose types the file declares without a derive, and returns the
/// items of the types, which become aspects, so that no other error follows.
pub(crate) fn aspects(aspect: &Aspect, errors: &mut Diagnostics) -> Vec<TokenStream> {
    let bundle = &aspect.bundle;
    let found = bundle.fields.iter().filter_map(|field| {
        let Type::Path(path) = ungroup(&field.ty) else { return None };
        let name = path.path.get_ident()?;
        let item = source_file::Declaration::of(name)?.lacks_aspect(name.span())?;
        let (aspect, member) = (bundle.subject.name(), shown(&field.member));
        errors.push(name.wrong(format!(
            "aspect `{aspect}`: field `{member}` is `{name}`, which is neither a component nor an aspect: write `#[derive(Aspect)]` on \
             `{name}`"
        )));
        item.parse().ok()
    });
    found.collect()
}
