//! Mistakes in the body of a system for which the compiler has no cure: it sees two types that
//! differ, and not what was meant. The body is searched as tokens, and is left out after a mistake,
//! so that the compiler does not report it again.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::{FnArg, PatType, Type};

use crate::built_in::{BuiltIn, Role};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::parameter::{Kind, Parameter, named, option};
use crate::model::system::System;
use crate::names::{identifier, snake_case, source, text};
use crate::source_file::{self, Declaration, words_in};
use crate::types;
use crate::words::has_word;

/// The error, and the names that it is about: another binding of one of them is another thing.
type Found = (syn::Error, Vec<String>);

const RULES: [fn(&Cursor<'_>) -> Option<Found>; 9] = [
    takes_no_single_apart,
    matches_no_single,
    takes_no_field_of_a_single,
    gives_no_single_as_entity,
    takes_no_id_of_a_spawn,
    gives_a_type_as_a_value,
    takes_a_state_in_another_form,
    compares_no_resource_of_a_state,
    calls_no_system,
];

/// The verbs whose first argument is an entity.
const ENTITY_VERBS: [&str; 8] =
    ["despawn", "entity", "insert", "remove", "get", "get_mut", "contains", "has"];

/// The verbs that take a type, with the number of their arguments, and the noun for the type.
const TYPE_VERBS: [(&str, usize, &str); 3] = [
    ("remove has get get_mut try_get try_get_mut", 1, "component"),
    ("resource resource_mut", 0, "resource"),
    ("drain", 0, "event"),
];

pub(super) fn check(system: &mut System, errors: &mut Diagnostics) {
    let Some(TokenTree::Group(body)) = system.item.clone().into_iter().last() else { return };
    let has_parameter =
        system.parameters.iter().any(|one| matches!(one.kind, Kind::World) || built_in(one).is_some());
    let found = has_parameter.then(|| find(&system.parameters, body.stream())).flatten();
    let is_own = |name: &String| {
        let mut parameters = system.parameters.iter();
        binds(body.stream(), name) || parameters.any(|one| one.name == *name && has_type_of_the_user(one))
    };
    if let Some((error, names)) = found
        && !names.iter().any(is_own)
    {
        errors.push(syn::Error::new(error.span(), format!("system `{}`: {error}", system.name())));
        system.broken_body = true;
    }
}

/// The mistake that is first in the body.
fn find(parameters: &[Parameter], tokens: TokenStream) -> Option<Found> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    (0..trees.len()).find_map(|at| {
        let before = at.checked_sub(1).map(|before| &trees[before]);
        let cursor = Cursor { parameters, before, from: &trees[at..] };
        RULES.iter().find_map(|rule| rule(&cursor)).or_else(|| match &trees[at] {
            TokenTree::Group(group) => find(parameters, group.stream()),
            _ => None,
        })
    })
}

/// Whether the body may bind this name: in a pattern behind `let` or `for`, or before `=>` or `=`,
/// or as a parameter of a closure or a function.
fn binds(body: TokenStream, name: &str) -> bool {
    let trees: Vec<TokenTree> = body.into_iter().collect();
    let sign = |at: Option<usize>| match at.and_then(|at| trees.get(at)) {
        Some(TokenTree::Punct(sign)) => sign.as_char(),
        _ => ' ',
    };
    let is_one_of = |at: Option<usize>, words: &[&str]| {
        let word = at.and_then(|at| trees.get(at)).and_then(ident);
        word.is_some_and(|word| words.iter().any(|one| word == one))
    };
    let is_binding_word = |at: Option<usize>| is_one_of(at, &["let", "for", "fn", "ref"]);
    trees.iter().enumerate().any(|(at, tree)| {
        let before = |count| at.checked_sub(count);
        let is_mut = ident(tree).is_some() && is_one_of(before(1), &["mut"]);
        let is_pattern = is_binding_word(before(1))
            || is_mut && is_binding_word(before(2))
            || sign(before(1)) == '|'
            || ['|', '@'].contains(&sign(Some(at + 1)));
        match tree {
            TokenTree::Ident(word) => word == name && is_pattern,
            TokenTree::Group(group) => {
                let is_whole = is_pattern || is_binding_word(before(2)) || sign(Some(at + 1)) == '=';
                is_whole && words_in(group.stream()).iter().any(|word| word == name)
                    || binds(group.stream(), name)
            }
            _ => false,
        }
    })
}

/// A place in the body.
struct Cursor<'b> {
    parameters: &'b [Parameter],
    before: Option<&'b TokenTree>,
    /// The tokens from here on, up to the end of the group.
    from: &'b [TokenTree],
}

impl<'b> Cursor<'b> {
    /// The parameter with this name and a type of the library, and the name of this type.
    fn parameter(&self, name: &Ident) -> Option<(&'b Parameter, &'static str)> {
        let found = self.parameters.iter().find(|one| one.name == text(name))?;
        Some((found, built_in(found)?.name))
    }

    /// The items of the single with this name.
    fn item_of_single(&self, name: &Ident) -> Option<&'b Type> {
        let (found, _) = self.parameter(name).filter(|(_, of)| *of == "Single")?;
        named(&found.node.ty)?.1.first().copied()
    }

    /// The enum of the state that the parameter with this name has.
    fn state(&self, name: &Ident) -> Option<String> {
        let (found, _) = self.parameter(name).filter(|(_, of)| ["Res", "ResMut"].contains(of))?;
        let (_, resource) = named(&found.node.ty)?;
        let (_, states) = named(resource.first()?).filter(|(name, _)| name == "State")?;
        Some(source(*states.first()?))
    }

    fn is_behind(&self, signs: &[char]) -> bool {
        matches!(self.before, Some(TokenTree::Punct(sign)) if signs.contains(&sign.as_char()))
    }
}

/// The type of the library that a parameter has.
fn built_in(parameter: &Parameter) -> Option<&'static BuiltIn> {
    let ty = &parameter.node.ty;
    let (found, _) = BuiltIn::named(option(ty).unwrap_or(ty))?;
    (found.role == Role::Parameter && !parameter.broken).then_some(found)
}

/// Whether the parameter has a type of the user that is called like one of the library.
fn has_type_of_the_user(parameter: &Parameter) -> bool {
    types::paths(&parameter.node.ty).into_iter().any(|ty| {
        let is_state = named(ty).is_some_and(|(name, _)| name == "State");
        (is_state || BuiltIn::named(ty).is_some()) && source_file::is_of_the_user(ty)
    })
}

fn in_parentheses(tree: &TokenTree) -> Option<&Group> {
    match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
        _ => None,
    }
}

/// The arguments in parentheses.
fn arguments(tree: &TokenTree) -> Option<Vec<Vec<TokenTree>>> {
    let all: Vec<TokenTree> = in_parentheses(tree)?.stream().into_iter().collect();
    let is_comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(sign) if sign.as_char() == ',');
    Some(all.split(is_comma).filter(|one| !one.is_empty()).map(<[_]>::to_vec).collect())
}

fn ident(tree: &TokenTree) -> Option<&Ident> {
    if let TokenTree::Ident(ident) = tree { Some(ident) } else { None }
}

/// `if let Some((position, velocity)) = single`, `let (position, velocity) = single`.
fn takes_no_single_apart(at: &Cursor<'_>) -> Option<Found> {
    let [TokenTree::Ident(word), from @ ..] = at.from else { return None };
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
    is_it.then(|| taken_apart(at, name, pattern, optional)).flatten()
}

/// `match single { Some((position, velocity)) => .. }`
fn matches_no_single(at: &Cursor<'_>) -> Option<Found> {
    let [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Group(arms), ..] = at.from else {
        return None;
    };
    if word != "match" {
        return None;
    }
    let arms: Vec<TokenTree> = arms.stream().into_iter().collect();
    let some = arms.windows(2).find_map(|pair| match pair {
        [TokenTree::Ident(some), pattern] if some == "Some" => in_parentheses(pattern),
        _ => None,
    });
    taken_apart(at, name, some?, true)
}

/// The error for `(position, velocity)`, or what is in `Some((position, velocity))`, in place of a
/// single.
fn taken_apart(at: &Cursor<'_>, name: &Ident, pattern: &Group, optional: bool) -> Option<Found> {
    let (found, of) = at.parameter(name)?;
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

/// `single.0` of several elements.
fn takes_no_field_of_a_single(at: &Cursor<'_>) -> Option<Found> {
    let [TokenTree::Ident(name), TokenTree::Punct(dot), TokenTree::Literal(field), ..] = at.from else {
        return None;
    };
    let is_it = dot.as_char() == '.' && !at.is_behind(&['.']);
    at.item_of_single(name).filter(|ty| is_it && matches!(ty, Type::Tuple(_)))?;
    let error = name.wrong(format!(
        "`{name}.{field}`: a `Single` is no tuple: write `let (..) = {name}.into_inner();` for its elements"
    ));
    Some((error, vec![text(name)]))
}

/// `commands.despawn(single)` of an entity.
fn gives_no_single_as_entity(at: &Cursor<'_>) -> Option<Found> {
    let [TokenTree::Ident(receiver), TokenTree::Punct(dot), TokenTree::Ident(verb), given, ..] = at.from
    else {
        return None;
    };
    if at.is_behind(&['.']) || dot.as_char() != '.' || !ENTITY_VERBS.iter().any(|one| verb == one) {
        return None;
    }
    at.parameter(receiver)?; // a type of the user may take a `Single`
    let given = arguments(given)?;
    let [TokenTree::Ident(name)] = &given.first()?[..] else { return None };
    at.item_of_single(name).filter(|ty| source(*ty) == "Entity")?;
    let error = name.wrong(format!("`{name}` is a `Single`, which holds the entity: write `*{name}`"));
    Some((error, vec![text(name)]))
}

/// `commands.remove(entity, Health)`, `commands.entity(entity).remove(Health)`, `game.resource(Score)`.
fn gives_a_type_as_a_value(at: &Cursor<'_>) -> Option<Found> {
    let [TokenTree::Ident(receiver), TokenTree::Punct(_), TokenTree::Ident(verb), given, behind @ ..] =
        at.from
    else {
        return None;
    };
    let (begin, verb, given, is_chained) = match behind {
        [TokenTree::Punct(_), TokenTree::Ident(chained), last, ..] if verb == "entity" => {
            (format!("{receiver}.entity{}", source(given)), chained, last, true)
        }
        _ => (text(receiver), verb, given, false),
    };
    let &(_, count, noun) = TYPE_VERBS.iter().find(|(verbs, ..)| has_word(verbs, &text(verb)))?;
    let mut given = arguments(given)?;
    let last = given.pop()?;
    let [TokenTree::Ident(ty)] = &last[..] else { return None };
    if at.is_behind(&['.']) || given.len() != (if is_chained { 0 } else { count }) {
        return None;
    }
    let found = at.parameters.iter().find(|one| one.name == text(receiver))?;
    let has_verb = match built_in(found).map(|of| of.name) {
        Some("Commands") if !is_chained => ["remove", "has", "get"].iter().any(|one| verb == one),
        Some("Commands" | "ParCommands") => verb == "remove",
        _ => matches!(found.kind, Kind::World) && !is_chained,
    };
    if !has_verb || source_file::noun_of(ty) != Some(noun) {
        return None;
    }
    // a world may have a method of the user, which takes a value
    if let (Kind::World, Type::Reference(world)) = (&found.kind, &*found.node.ty)
        && (Declaration::of(ty)?.is_unit() || source_file::may_have_method(&source(&world.elem), verb))
    {
        return None;
    }
    let rest =
        given.into_iter().map(|one| source(&TokenStream::from_iter(one))).collect::<Vec<_>>().join(", ");
    let error =
        ty.wrong(format!("`{verb}` takes the {noun} as a type: write `{begin}.{verb}::<{ty}>({rest})`"));
    Some((error, vec![text(receiver)]))
}

/// `state.set(screen::Play)`, which is the type of a state, and `state.change(Screen::Menu, Screen::Play)`,
/// which are values.
fn takes_a_state_in_another_form(at: &Cursor<'_>) -> Option<Found> {
    let [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Ident(verb), given, ..] = at.from else {
        return None;
    };
    let given = in_parentheses(given).filter(|_| ["set", "is", "change"].iter().any(|one| verb == one))?;
    let (state, (_, of), verb) = (at.state(name)?, at.parameter(name)?, text(verb));
    let (module, shown) = (snake_case(&state), source(&given.stream()));
    // a module of the user may have constants
    if !module.contains(':') && source_file::declares("mod", &identifier(&module, name.span())) {
        return None;
    }
    let text = match verb.as_str() {
        "set" | "is" if verb == "is" || of == "ResMut" => {
            let variant = shown.strip_prefix(&format!("{module}::"))?;
            format!(
                "`{module}::{variant}` is the type of a state, and `{verb}` takes its value: write `{name}.{verb}({state}::{variant})`"
            )
        }
        "change" if of == "ResMut" => {
            let begin = format!("{state}::");
            let values: Option<Vec<&str>> =
                shown.split(", ").map(|value| value.strip_prefix(&begin)).collect();
            let (values, last) = (values.as_ref()?, values.as_ref()?.last()?);
            let with_types = match values[..] {
                [from, to] => format!(", or `{name}.change::<{module}::{from}, {module}::{to}>()`"),
                _ => String::new(),
            };
            format!("`change` takes the types of two states: write `{name}.set({begin}{last})`{with_types}")
        }
        _ => return None,
    };
    Some((given.wrong(text), vec![name.to_string()]))
}

/// `state == Screen::Play`, `state != Screen::Play`.
fn compares_no_resource_of_a_state(at: &Cursor<'_>) -> Option<Found> {
    let [
        TokenTree::Ident(name),
        TokenTree::Punct(first),
        TokenTree::Punct(second),
        TokenTree::Ident(of),
        TokenTree::Punct(_),
        TokenTree::Punct(_),
        TokenTree::Ident(variant),
        ..,
    ] = at.from
    else {
        return None;
    };
    let not = match (first.as_char(), second.as_char()) {
        ('=', '=') => "",
        ('!', '=') => "!",
        _ => return None,
    };
    let state = at.state(name).filter(|state| of == state && !at.is_behind(&['.', '*']))?;
    let error = name.wrong(format!(
        "`{name}` is the resource that holds the state: write `{not}{name}.is({state}::{variant})`"
    ));
    Some((error, vec![text(name)]))
}

/// `let tree = commands.spawn(Tree)` of `ParCommands`.
fn takes_no_id_of_a_spawn(at: &Cursor<'_>) -> Option<Found> {
    let [
        TokenTree::Ident(word),
        TokenTree::Ident(id),
        TokenTree::Punct(equals),
        TokenTree::Ident(commands),
        TokenTree::Punct(dot),
        TokenTree::Ident(verb),
        TokenTree::Group(bundle),
        ..,
    ] = at.from
    else {
        return None;
    };
    let is_it =
        word == "let" && id != "_" && equals.as_char() == '=' && dot.as_char() == '.' && verb == "spawn";
    at.parameter(commands).filter(|(_, of)| is_it && *of == "ParCommands")?;
    let bundle = source(&bundle.stream());
    let error = id.wrong(format!(
        "`{id}` would be an id, and `spawn` of `ParCommands` returns none, because ids are given when all entities are visited: \
         write `{commands}.spawn_then({bundle}, |world, {id}| {{ .. }})`"
    ));
    Some((error, vec![text(commands)]))
}

/// `movement(&mut bodies)`: a call of another system, with a query for its elements.
fn calls_no_system(at: &Cursor<'_>) -> Option<Found> {
    let [TokenTree::Ident(name), given, ..] = at.from else { return None };
    let given = arguments(given)?;
    let is_called = !at.is_behind(&['.', ':']) && at.before.and_then(ident).is_none_or(|word| word != "fn");
    // `query`, `&query` or `&mut query` among the arguments
    let query = given.iter().find_map(|argument| match &argument[..] {
        [TokenTree::Ident(name)]
        | [TokenTree::Punct(_), TokenTree::Ident(name)]
        | [TokenTree::Punct(_), TokenTree::Ident(_), TokenTree::Ident(name)] => Some(name),
        _ => None,
    });
    let is_query = |name: &&Ident| at.parameter(name).is_some_and(|(_, of)| of == "Query");
    let query = query.filter(|name| is_called && is_query(name))?;
    // the elements of a system, which are borrows
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
