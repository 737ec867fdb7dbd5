//! Mistakes in the body of a system for which the compiler has no cure: it sees two types that
//! differ, and not what was meant. The body is searched as tokens, and is left out after a mistake,
//! so that the compiler does not report it again.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, PatType, Type};

use crate::built_in::{BuiltIn, Role};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::parameter::{Parameter, named, option};
use crate::model::system::System;
use crate::names::{snake_case, source, text};
use crate::source_file;

/// The error, and the names that it is about: another binding of one of them is another thing.
type Found = (syn::Error, Vec<String>);

/// A rule: the error at the first token of a list, of which it also sees the token before.
type Rule = fn(&[Parameter], Option<&TokenTree>, &[TokenTree]) -> Option<Found>;

const RULES: [Rule; 7] = [
    takes_no_single_apart,
    matches_no_single,
    single_is_no_item,
    takes_no_id_of_a_spawn,
    removes_a_type,
    state_is_a_value,
    calls_no_system,
];

pub(super) fn check(system: &mut System, errors: &mut Diagnostics) {
    let Some(TokenTree::Group(body)) = system.item.clone().into_iter().last() else { return };
    let has_parameter = system.parameters.iter().any(|one| built_in(one).is_some());
    let found = has_parameter.then(|| find(&system.parameters, body.stream())).flatten();
    if let Some((error, names)) = found
        && !names.iter().any(|name| binds(body.stream(), name))
    {
        errors.push(syn::Error::new(error.span(), format!("system `{}`: {error}", system.name())));
        system.broken_body = true;
    }
}

/// Whether the body may bind this name: in a pattern behind `let` or `for`, or before `=>` or `=`, or as
/// a parameter of a closure or a function.
fn binds(body: TokenStream, name: &str) -> bool {
    let trees: Vec<TokenTree> = body.into_iter().collect();
    let sign = |at: Option<usize>| match at.and_then(|at| trees.get(at)) {
        Some(TokenTree::Punct(sign)) => sign.as_char(),
        _ => ' ',
    };
    let is_binding_word = |at: Option<usize>| {
        at.and_then(|at| trees.get(at)).is_some_and(|tree| {
            matches!(tree, TokenTree::Ident(word) if ["let", "for", "fn", "ref"].iter().any(|one| word == one))
        })
    };
    trees.iter().enumerate().any(|(at, tree)| {
        let before = |count| at.checked_sub(count);
        let is_mut = matches!(tree, TokenTree::Ident(_))
            && before(1).is_some_and(|at| matches!(&trees[at], TokenTree::Ident(word) if word == "mut"));
        let is_pattern = is_binding_word(before(1))
            || is_mut && is_binding_word(before(2))
            || sign(before(1)) == '|'
            || ['|', '@'].contains(&sign(Some(at + 1)));
        match tree {
            TokenTree::Ident(word) => word == name && is_pattern,
            TokenTree::Group(group) => {
                let is_whole = is_pattern || is_binding_word(before(2)) || sign(Some(at + 1)) == '=';
                is_whole && words(group.stream()).any(|word| word == name) || binds(group.stream(), name)
            }
            _ => false,
        }
    })
}

/// The words among tokens, at every depth.
fn words(tokens: TokenStream) -> Box<dyn Iterator<Item = String>> {
    Box::new(tokens.into_iter().flat_map(|tree| match tree {
        TokenTree::Group(group) => words(group.stream()),
        TokenTree::Ident(word) => Box::new(std::iter::once(text(&word))),
        _ => Box::new(std::iter::empty()),
    }))
}

fn find(parameters: &[Parameter], tokens: TokenStream) -> Option<Found> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    (0..trees.len()).find_map(|at| {
        let (before, from) = (at.checked_sub(1).map(|before| &trees[before]), &trees[at..]);
        let here = RULES.iter().find_map(|rule| rule(parameters, before, from));
        here.or_else(|| match &trees[at] {
            TokenTree::Group(group) => find(parameters, group.stream()),
            _ => None,
        })
    })
}

/// The type of the library that a parameter has.
fn built_in(parameter: &Parameter) -> Option<&'static BuiltIn> {
    let ty = &parameter.node.ty;
    let (found, _) = BuiltIn::named(option(ty).unwrap_or(ty))?;
    (found.role == Role::Parameter && !parameter.broken).then_some(found)
}

/// The parameter with this name and a type of the library.
fn parameter<'p>(parameters: &'p [Parameter], name: &Ident) -> Option<(&'p Parameter, &'static str)> {
    let found = parameters.iter().find(|one| one.name == text(name))?;
    Some((found, built_in(found)?.name))
}

fn in_parentheses(tree: &TokenTree) -> Option<&Group> {
    match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
        _ => None,
    }
}

/// `if let Some((position, velocity)) = single`, `let (position, velocity) = single`.
fn takes_no_single_apart(
    parameters: &[Parameter],
    _: Option<&TokenTree>,
    from: &[TokenTree],
) -> Option<Found> {
    let [TokenTree::Ident(word), from @ ..] = from else { return None };
    let (optional, pattern, from) = match from {
        [TokenTree::Ident(some), pattern, from @ ..] if some == "Some" => (true, pattern, from),
        [pattern, from @ ..] => (false, pattern, from),
        [] => return None,
    };
    let pattern = in_parentheses(pattern).filter(|_| word == "let")?;
    let [TokenTree::Punct(equals), TokenTree::Ident(name), behind, ..] = from else { return None };
    let is_whole = match behind {
        TokenTree::Punct(sign) => sign.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(word) => word == "else",
        TokenTree::Literal(_) => false,
    };
    let is_it = equals.as_char() == '=' && is_whole;
    is_it.then(|| taken_apart(parameters, name, pattern, optional)).flatten()
}

/// `match single { Some((position, velocity)) => .. }`
fn matches_no_single(parameters: &[Parameter], _: Option<&TokenTree>, from: &[TokenTree]) -> Option<Found> {
    let [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Group(arms), ..] = from else {
        return None;
    };
    if word != "match" || parameter(parameters, name)?.1 != "Single" {
        return None;
    }
    let arms: Vec<TokenTree> = arms.stream().into_iter().collect();
    let some = arms.windows(2).find_map(|pair| match pair {
        [TokenTree::Ident(some), pattern] if some == "Some" => in_parentheses(pattern),
        _ => None,
    });
    taken_apart(parameters, name, some?, true)
}

/// The error for `(position, velocity)`, or what is in `Some((position, velocity))`, in place of a
/// single.
fn taken_apart(parameters: &[Parameter], name: &Ident, pattern: &Group, optional: bool) -> Option<Found> {
    let (found, of) = parameter(parameters, name)?;
    let (taken, inner) = (pattern.stream(), pattern.stream().into_iter().next()?);
    let is_tuple = !optional || in_parentheses(&inner).is_some() && taken.clone().into_iter().count() == 1;
    if of != "Single" || option(&found.node.ty).is_some() != optional || !is_tuple {
        return None;
    }
    let (some, inner) = if optional { ("Some", source(&taken)) } else { ("", source(pattern)) };
    let whole = if optional { format!("`Some({name})`, and behind it ") } else { String::new() };
    let error = pattern.wrong(format!(
        "`{some}{}` takes `Single` apart, whose fields are private: write {whole}`let {inner} = {name}.into_inner();`",
        source(pattern)
    ));
    Some((error, vec![text(name)]))
}

/// `single.0` of several elements, and `commands.despawn(single)` of an entity.
fn single_is_no_item(
    parameters: &[Parameter],
    before: Option<&TokenTree>,
    from: &[TokenTree],
) -> Option<Found> {
    let is_single = |name: &Ident, item: fn(&Type) -> bool| {
        let found = parameter(parameters, name).filter(|(_, of)| *of == "Single");
        let arguments = found.and_then(|(found, _)| named(&found.node.ty)).map(|(_, arguments)| arguments);
        arguments.is_some_and(|arguments| arguments.first().is_some_and(|ty| item(ty)))
    };
    match from {
        [TokenTree::Ident(name), TokenTree::Punct(dot), TokenTree::Literal(field), ..] => {
            let is_it =
                dot.as_char() == '.' && !is_dot(before) && is_single(name, |ty| matches!(ty, Type::Tuple(_)));
            let error = || {
                name.wrong(format!(
                    "`{name}.{field}`: a `Single` is no tuple: write `let (..) = {name}.into_inner();` for its elements"
                ))
            };
            is_it.then(|| (error(), vec![text(name)]))
        }
        [TokenTree::Ident(verb), arguments, ..] if is_dot(before) && VERBS.iter().any(|one| verb == one) => {
            let given: Vec<TokenTree> = in_parentheses(arguments)?.stream().into_iter().collect();
            let [TokenTree::Ident(name)] = given.split(is_comma).next()? else { return None };
            is_single(name, |ty| source(ty) == "Entity").then(|| {
                let error = name.wrong(format!(
                    "`{name}` is a `Single`, which holds the entity: write `{name}.into_inner()`"
                ));
                (error, vec![text(name)])
            })
        }
        _ => None,
    }
}

/// The verbs whose first argument is an entity.
const VERBS: [&str; 8] = ["despawn", "entity", "insert", "remove", "get", "get_mut", "contains", "has"];

fn is_dot(before: Option<&TokenTree>) -> bool {
    matches!(before, Some(TokenTree::Punct(sign)) if sign.as_char() == '.')
}

/// `commands.remove(entity, Health)`, `commands.entity(entity).remove(Health)`.
fn removes_a_type(parameters: &[Parameter], _: Option<&TokenTree>, from: &[TokenTree]) -> Option<Found> {
    let [TokenTree::Ident(commands), TokenTree::Punct(_), TokenTree::Ident(verb), arguments, behind @ ..] =
        from
    else {
        return None;
    };
    let (arguments, chained) = match behind {
        [TokenTree::Punct(_), TokenTree::Ident(remove), inner, ..]
            if verb == "entity" && remove == "remove" =>
        {
            (inner, Some(arguments))
        }
        _ if verb == "remove" => (arguments, None),
        _ => return None,
    };
    let given: Vec<TokenTree> = in_parentheses(arguments)?.stream().into_iter().collect();
    let split: Vec<&[TokenTree]> = given.split(is_comma).collect();
    let ty = match (&split[..], chained) {
        ([_, [TokenTree::Ident(ty)]], None) | ([[TokenTree::Ident(ty)]], Some(_)) => ty,
        _ => return None,
    };
    let is_it = parameter(parameters, commands)?.1.ends_with("Commands");
    (is_it && source_file::noun_of(ty) == Some("component")).then(|| {
        let call = match chained {
            Some(entity) => format!("{commands}.entity{}.remove::<{ty}>()", source(entity)),
            None => format!(
                "{commands}.remove::<{ty}>({})",
                source(
                    &given
                        .split(is_comma)
                        .next()
                        .unwrap_or_default()
                        .iter()
                        .cloned()
                        .collect::<TokenStream>()
                )
            ),
        };
        let error = ty.wrong(format!("`remove` takes the component as a type: write `{call}`"));
        (error, vec![text(commands)])
    })
}

/// `state.set(screen::Play)`, `state == Screen::Play`.
fn state_is_a_value(
    parameters: &[Parameter],
    before: Option<&TokenTree>,
    from: &[TokenTree],
) -> Option<Found> {
    let [TokenTree::Ident(name), TokenTree::Punct(sign), behind @ ..] = from else { return None };
    let (found, of) = parameter(parameters, name).filter(|(_, of)| ["Res", "ResMut"].contains(of))?;
    let (_, resource) = named(&found.node.ty)?;
    let (_, states) = named(resource.first()?).filter(|(name, _)| name == "State")?;
    let state = source(*states.first()?);
    let (culprit, message) = match (sign.as_char(), behind) {
        ('.', [TokenTree::Ident(set), arguments, ..]) if set == "set" && of == "ResMut" => {
            let given = in_parentheses(arguments)?;
            let variant =
                source(&given.stream()).strip_prefix(&format!("{}::", snake_case(&state)))?.to_owned();
            let message = format!(
                "`{}::{variant}` is the type of a state, and `set` takes its value: write `{name}.set({state}::{variant})`",
                snake_case(&state)
            );
            (given.to_token_stream(), message)
        }
        (first @ ('=' | '!'), [TokenTree::Punct(second), TokenTree::Ident(of), rest @ ..])
            if second.as_char() == '=' && *of == state && !is_sign(before) =>
        {
            let [TokenTree::Punct(_), TokenTree::Punct(_), TokenTree::Ident(variant), ..] = rest else {
                return None;
            };
            let not = if first == '!' { "!" } else { "" };
            let message = format!(
                "`{name}` is the resource that holds the state: write `{not}{name}.is({state}::{variant})`"
            );
            (name.to_token_stream(), message)
        }
        _ => return None,
    };
    Some(((&culprit).wrong(message), vec![text(name)]))
}

fn is_sign(before: Option<&TokenTree>) -> bool {
    matches!(before, Some(TokenTree::Punct(sign)) if ['.', '*'].contains(&sign.as_char()))
}

/// `let tree = commands.spawn(Tree)` of `ParCommands`.
fn takes_no_id_of_a_spawn(
    parameters: &[Parameter],
    _: Option<&TokenTree>,
    from: &[TokenTree],
) -> Option<Found> {
    let [
        TokenTree::Ident(word),
        TokenTree::Ident(id),
        TokenTree::Punct(equals),
        TokenTree::Ident(commands),
        TokenTree::Punct(dot),
        TokenTree::Ident(verb),
        TokenTree::Group(bundle),
        ..,
    ] = from
    else {
        return None;
    };
    let is_it =
        word == "let" && id != "_" && equals.as_char() == '=' && dot.as_char() == '.' && verb == "spawn";
    let is_par = is_it && parameter(parameters, commands)?.1 == "ParCommands";
    is_par.then(|| {
        let bundle = source(&bundle.stream());
        let error = id.wrong(format!(
            "`{id}` would be an id, and `spawn` of `ParCommands` returns none, because ids are given when all entities are visited: \
             write `{commands}.spawn_then({bundle}, |world, {id}| {{ .. }})`"
        ));
        (error, vec![text(commands)])
    })
}

/// `movement(&mut bodies)`: a call of another system, with a query for its elements.
fn calls_no_system(
    parameters: &[Parameter],
    before: Option<&TokenTree>,
    from: &[TokenTree],
) -> Option<Found> {
    let [TokenTree::Ident(name), arguments, ..] = from else { return None };
    let is_plain = match before {
        Some(TokenTree::Punct(sign)) => !['.', ':'].contains(&sign.as_char()),
        Some(TokenTree::Ident(word)) => word != "fn",
        _ => true,
    };
    let given: Vec<TokenTree> = in_parentheses(arguments)?.stream().into_iter().collect();
    let given: Vec<&[TokenTree]> = given.split(is_comma).filter(|argument| !argument.is_empty()).collect();
    let query = given.iter().find_map(|argument| match argument {
        [TokenTree::Ident(name)]
        | [TokenTree::Punct(_), TokenTree::Ident(name)]
        | [TokenTree::Punct(_), TokenTree::Ident(_), TokenTree::Ident(name)] => Some(name),
        _ => None,
    });
    let query =
        query.filter(|name| is_plain && parameter(parameters, name).is_some_and(|(_, of)| of == "Query"))?;
    let signature = source_file::signature_of(name).filter(|one| one.inputs.len() != given.len())?;
    let elements = signature.inputs.iter().map(|input| match input {
        FnArg::Typed(PatType { pat, ty, .. }) => matches!(**ty, Type::Reference(_)).then(|| source(pat)),
        FnArg::Receiver(_) => None,
    });
    let elements = elements.collect::<Option<Vec<String>>>()?.join(", ");
    let error = name.wrong(format!(
        "`{name}` is a system, and a schedule calls it for each entity: list it in the schedule, or write \
         `{query}.for_each(|({elements})| {name}({elements}))` for the data of this query"
    ));
    Some((error, vec![text(name), text(query)]))
}

fn is_comma(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(sign) if sign.as_char() == ',')
}
