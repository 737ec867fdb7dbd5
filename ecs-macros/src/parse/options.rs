//! Options: the comma-separated list in attributes such as `#[component(..)]` and
//! `#[system(World, ..)]`.
//!
//! An option with a mistake is reported and skipped; the options after it are read.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Data, DeriveInput, Error, Field, Generics, Meta, Path, Result, Token, Type, token};

use super::placed::Placed;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::{Ecs, closed, list, nearest, source, text};
use crate::words;

/// The options that one attribute knows.
pub(crate) struct Known<'a> {
    /// For messages: ``component `Position` ``.
    pub(crate) subject: &'a str,
    /// The options as users write them, apart by ` | `: `requires(..) | deref`.
    pub(crate) forms: &'a str,
}

/// Options of other libraries and of other attributes, and the advice. Behind `=` stands an option or
/// the noun by which the attribute is recognized, and then a table of [`words`].
const ELSEWHERE: &str = r#"
= requires
ordered sorted btree range  an index that has an order is `index(ordered)`
readonly read_only constant frozen  a component whose values are replaced and never changed in place
  is `immutable`
packed sparse dense  the storage of a rare component is `storage = "packed"`
on_add on_insert on_remove on_replace on_despawn hooks  write `hook = Load` with a type that
  implements `ComponentHook`, of `ecs::component`, and keeps a state in step with the values; a
  reaction that changes other things is an observer, or a system with `Entered<With<T>>` and
  `Exited<With<T>>`
= within
initial default first start starts_with  the world has the first state: `resources { State<S> =
  State::new(S::First) }`
= aspect
default  write `#[aspect(default = ..)]` before the field that begins with the value
= exclusive
storage packed  write `#[component(storage = "packed")]` beside `#[relation(..)]`
one single one_to_one one_to_many multiple any many_to_many many_to_one  a relation with one target
  is `exclusive`, one with any number of targets `many`
= gone
despawn linked_spawn cascade on_delete  `gone` takes a policy, what happens to a source when its
  target is despawned: `gone = cascade` despawns it, too
= par
after before in_set chain order label  systems take effect in the order in which the schedule names
  them: put it in its place there
run_if condition  a condition is written in the schedule, after the name of the system: `movement if
  playing`
= reflected type
skip ignore default  it stands before a field: `#[reflect(skip)]`, `#[reflect(default)]`
= reflected variant
skip ignore default  it stands before a field of the variant
= reflected
check  it stands before the type, and its function takes a reference to the whole value
rename_all rename_all_fields tag untagged content flatten with serialize_with deserialize_with alias transparent deny_unknown_fields skip_serializing_if other from into try_from remote bound
  it is an option of serde: derive `Serialize` and `Deserialize` of serde in place of `Reflect`
opaque no_field_bounds from_reflect type_path clone no_auto_register where  it is an option of bevy:
  remove it
= reflected field
ignore skip_serializing skip_deserializing  write `skip`: the field is neither saved nor loaded
"#;

impl Known<'_> {
    fn forms(&self) -> Vec<&str> {
        self.forms.split(" | ").collect()
    }

    /// Whether there is an option of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.forms().into_iter().any(|form| name_of(form) == name)
    }

    /// The form of an option with its value, if it can have one.
    fn value_of(&self, name: &str) -> Option<&str> {
        self.forms()
            .into_iter()
            .find(|form| form.strip_prefix(name).is_some_and(|rest| rest.starts_with(" =")))
    }

    /// The message for an option that takes no value, if unexpected tokens follow it.
    pub(crate) fn misused(&self, name: &str, input: ParseStream<'_>) -> Option<String> {
        let (form, alone) = (self.value_of(name), self.forms().contains(&name));
        let (equals, paren) = (input.peek(Token![=]), input.peek(token::Paren));
        let list = format!("{name}(..)");
        let opens = |form: &str| form.strip_prefix(name).is_some_and(|rest| rest.starts_with('('));
        let lists = self.forms().into_iter().any(opens);
        if !alone || !(equals && form.is_none() || paren && !lists) {
            return None;
        }
        let (subject, found) = (self.subject, source(&to_comma(&input.fork())));
        Some(match form {
            Some(form) => {
                format!(
                    "option `{name}` of {subject} takes its value after `=`: `{form}`, not in parentheses"
                )
            }
            None if lists => {
                format!(
                    "option `{name}` of {subject} stands alone, or has its types in parentheses: `{list}`"
                )
            }
            None => format!("option `{name}` of {subject} takes no value: remove `{found}`"),
        })
    }

    /// The option that an unknown one is meant to be.
    fn meant(&self, name: &str) -> Option<String> {
        let forms = self.forms();
        let names: Vec<&str> = forms.iter().map(|form| name_of(form)).collect();
        nearest(name, &names).map(str::to_owned)
    }

    /// The message for an unknown option.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let groups = ELSEWHERE.split("\n= ").filter_map(|group| group.split_once('\n'));
        let mut own = groups.filter(|(of, _)| self.has(of) || self.subject.starts_with(&format!("{of} ")));
        if let Some(cure) = own.find_map(|(_, table)| words::advice(table, name)) {
            return format!("unknown option `{name}` of {}: {cure}", self.subject);
        }
        let forms = self.forms();
        let meant = self.meant(name).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        let (noun, verb) = if forms.len() == 1 { ("option", "is") } else { ("options", "are") };
        format!("unknown option `{name}` of {}: {meant}the {noun} {verb} {}", self.subject, list(&forms))
    }
}

/// The name of an option, the beginning of its form.
fn name_of(form: &str) -> &str {
    form.split([' ', '(']).next().unwrap_or_default()
}

/// Reads the options of every attribute `#[name(..)]`. Calls `read` after the name of each known
/// option.
pub(crate) fn attributes(
    attributes: &[Attribute],
    name: &str,
    known: &Known<'_>,
    errors: &mut Diagnostics,
    read: &mut dyn FnMut(&Ident, ParseStream<'_>) -> Result<()>,
) {
    let mut seen = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        match &attribute.meta {
            Meta::List(options) => {
                all(options.tokens.clone(), errors, |input, errors| {
                    separated(input, errors, &mut |input| option(input, known, &mut seen, read));
                });
            }
            Meta::Path(_) => errors.push(attribute.wrong(format!(
                "`#[{name}]` without options has no effect: remove it, or write `#[{name}({})]`",
                known.forms.replace(" | ", ", ")
            ))),
            Meta::NameValue(_) => errors.push(attribute.wrong(format!(
                "options are written in parentheses: `#[{name}({})]`",
                known.forms.replace(" | ", ", ")
            ))),
        }
    }
}

/// Reads one option.
pub(crate) fn option(
    input: ParseStream<'_>,
    known: &Known<'_>,
    seen: &mut Vec<String>,
    read: &mut dyn FnMut(&Ident, ParseStream<'_>) -> Result<()>,
) -> Result<()> {
    let name = input.call(Ident::parse_any).map_err(|error| {
        let quoted: Option<syn::LitStr> = input.fork().parse().ok();
        if let Some(word) = quoted.map(|quoted| quoted.value()).filter(|word| known.has(word)) {
            let message = format!("an option of {} is a word without quotes: write `{word}`", known.subject);
            return error.span().wrong(message);
        }
        error.span().wrong(format!("expected an option of {}: {}", known.subject, list(&known.forms())))
    })?;
    let shown = text(&name);
    if !known.has(&shown) {
        let (rest, error) = (to_comma(input), name.span().wrong(known.unknown(&shown)));
        // the option that is meant counts as given, so that its absence is not reported, too
        if let Some(meant) = known.meant(&shown).filter(|meant| !seen.contains(meant)) {
            let meant = Ident::new(&meant, name.span());
            let _is_reported = (|input: ParseStream<'_>| read(&meant, input)).parse2(rest);
        }
        return Err(error);
    }
    if seen.contains(&shown) {
        to_comma(input);
        let cure =
            if shown == "index" { ": keep `index(ordered)`, which finds equal values, too" } else { "" };
        return Err(name.span().wrong(format!("option `{shown}` of {} is given twice{cure}", known.subject)));
    }
    let misused = known.misused(&shown, input);
    let alone = known.forms().contains(&&*shown) && known.value_of(&shown).is_none();
    seen.push(shown);
    let names_field = known.value_of(&text(&name)).is_some_and(|form| form.ends_with("= field"));
    if let Some(message) = misused {
        let given = to_comma(input);
        let mut trees = given.clone().into_iter();
        if let (true, Some(TokenTree::Group(value)), None) = (names_field, trees.next(), trees.next()) {
            // the field counts as if it stood behind `=`; its own mistake would be a second message
            let value = value.stream();
            let _is_reported = (|input: ParseStream<'_>| read(&name, input)).parse2(quote!(= #value));
        }
        let error = given.wrong(message);
        // the option counts as given, so that its absence is not reported, too
        return if alone { read(&name, input).and(Err(error)) } else { Err(error) };
    }
    read(&name, input)
}

/// Reads `= path` after `crate`.
pub(crate) fn crate_path(input: ParseStream<'_>) -> Result<Ecs> {
    if !input.peek(Token![=]) {
        return Err(input.error("the path of the library is written after `=`: `crate = my::ecs`"));
    }
    input.parse::<Token![=]>()?;
    input.call(Path::parse_mod_style).map(Ecs::from)
}

/// Reads `= value`. `message` is the error for a value that is missing or no `T`.
pub(crate) fn after_equals<T: Parse>(name: &Ident, input: ParseStream<'_>, message: &str) -> Result<T> {
    if !input.peek(Token![=]) {
        return Err(name.span().wrong(message));
    }
    input.parse::<Token![=]>()?;
    let found = input.span();
    input.parse().map_err(|_| found.wrong(message))
}

/// Reads `tokens` with `read`, which reports mistakes itself and returns what it could read in
/// spite of them.
///
/// An error about missing tokens at the end has the span of the last token.
///
/// A parser that fails within parentheses leaves tokens there. `syn` then refuses all of `tokens`,
/// even if the mistake was reported and the parser went on after the parentheses; that refusal is
/// reported only if nothing else was.
pub(crate) fn all<T: Default>(
    tokens: TokenStream,
    errors: &mut Diagnostics,
    read: impl FnOnce(ParseStream<'_>, &mut Diagnostics) -> T,
) -> T {
    let (before, mut value) = (errors.count(), T::default());
    let last = tokens.clone().into_iter().last().map_or_else(Span::call_site, |last| last.span());
    let mut group = Group::new(Delimiter::Brace, tokens);
    group.set_span(last);
    let parser = |input: ParseStream<'_>| {
        let inner;
        syn::braced!(inner in input);
        value = read(&inner, errors);
        Ok(())
    };
    let done: Result<()> = parser.parse2(TokenTree::Group(group).into());
    if let (Err(error), true) = (done, errors.count() == before) {
        errors.push(error);
    }
    value
}

/// Reads a list in parentheses. `message` is the beginning of the error for an entry that is not a
/// `T`.
pub(crate) fn listed<T: Parse>(input: ParseStream<'_>, message: &str) -> Result<Vec<T>> {
    let (list, mut found) = (input.call(group)?, Vec::new());
    let mut wrong: Option<Error> = None;
    let parser = |list: ParseStream<'_>| {
        while !list.is_empty() {
            let (start, entry) = (list.span(), to_comma(&list.fork()));
            let read = list.parse::<T>();
            if let (Ok(read), true) = (read, list.is_empty() || list.peek(Token![,])) {
                found.push(read);
            } else {
                to_comma(list);
                let entry = if entry.is_empty() { ",".to_owned() } else { source(&entry) };
                let error = start.wrong(format!("{message}, found `{entry}`"));
                match &mut wrong {
                    Some(first) => first.combine(error),
                    None => wrong = Some(error),
                }
            }
            comma(list);
        }
        Ok(())
    };
    let done: Result<()> = parser.parse2(list);
    match wrong {
        Some(error) => Err(error),
        None => done.map(|()| found),
    }
}

/// Reads a group in parentheses and returns its tokens.
fn group(input: ParseStream<'_>) -> Result<TokenStream> {
    let list;
    syn::parenthesized!(list in input);
    list.parse()
}

/// Calls `read` for each element between commas, to the end of `input`.
pub(crate) fn separated(
    input: ParseStream<'_>,
    errors: &mut Diagnostics,
    read: &mut dyn FnMut(ParseStream<'_>) -> Result<()>,
) {
    while !input.is_empty() {
        let entry = read(input);
        let complete = entry.is_ok();
        errors.take(entry);
        if complete && !input.is_empty() && !input.peek(Token![,]) {
            errors.at(input.span(), format!("expected `,` before `{}`", next(input)));
        }
        to_comma(input);
        comma(input);
    }
}

/// The next token, for a message.
pub(crate) fn next(input: ParseStream<'_>) -> String {
    match input.fork().parse::<TokenTree>() {
        Ok(TokenTree::Group(group)) => {
            let open = match group.delimiter() {
                proc_macro2::Delimiter::Parenthesis => "(",
                proc_macro2::Delimiter::Brace => "{",
                proc_macro2::Delimiter::Bracket => "[",
                proc_macro2::Delimiter::None => return group.to_string(),
            };
            open.to_owned()
        }
        Ok(tree) => tree.to_string(),
        Err(_) => "the end".to_owned(),
    }
}

/// Reads tokens until `stop` returns true, or to the end.
pub(crate) fn until(input: ParseStream<'_>, stop: impl Fn(ParseStream<'_>) -> bool) -> TokenStream {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !stop(input) {
        let Ok(tree) = input.parse::<TokenTree>() else { break };
        tokens.extend([tree]);
    }
    tokens
}

/// The first attribute that is not documentation.
pub(crate) fn undocumented(attributes: &[Attribute]) -> Option<&Attribute> {
    attributes.iter().find(|attribute| !attribute.path().is_ident("doc"))
}

/// Reads a comma, if there is one.
pub(crate) fn comma(input: ParseStream<'_>) {
    input.parse::<Option<Token![,]>>().ok();
}

/// Reads tokens up to the next comma or the end.
pub(crate) fn to_comma(input: ParseStream<'_>) -> TokenStream {
    until(input, |input| input.peek(Token![,]))
}

/// A type parameter with the name `_`, which `syn` accepts and rustc does not.
pub(crate) fn nameless(generics: &Generics) -> Option<&Ident> {
    generics.type_params().map(|parameter| &parameter.ident).find(|name| *name == "_")
}

/// The attributes without options that stand for a derive in the eyes of a newcomer.
const IN_PLACE_OF_DERIVES: [(&str, &str); 4] = [
    ("component", "`#[derive(Component)]` makes a type a component"),
    ("resource", "`#[derive(Resource)]` makes a type a resource"),
    ("event", "`#[derive(Event)]` makes a type an event"),
    ("bundle", "`#[derive(Bundle)]` makes a struct a bundle"),
];

/// Reports an attribute without options that belongs to another derive.
fn of_another_derive(item: &DeriveInput, noun: &str, placed: &[Placed], errors: &mut Diagnostics) {
    let is_own = |name: &str| placed.iter().any(|(own, _)| *own == name);
    for attribute in item.attrs.iter().filter(|attribute| matches!(attribute.meta, Meta::Path(_))) {
        let found = IN_PLACE_OF_DERIVES.iter().find(|(name, _)| attribute.path().is_ident(name));
        if let Some((name, derive)) = found.filter(|(name, _)| !is_own(name)) {
            errors.at(
                attribute,
                format!("`#[{name}]` says nothing about {noun} `{}`: remove it; {derive}", text(&item.ident)),
            );
        }
    }
}

/// Parses the item of a derive, with types that can be nested, see [`crate::names::closed`]. `noun`
/// is that of the item for messages, and `placed` are the attributes of the derive with their
/// places.
pub(crate) fn item(
    tokens: TokenStream,
    noun: &str,
    placed: &[Placed],
    errors: &mut Diagnostics,
) -> Option<DeriveInput> {
    let mut item: DeriveInput = errors.take(syn::parse2(tokens))?;
    super::placed::check(&item, noun, placed, errors);
    of_another_derive(&item, noun, placed, errors);
    if let Some(name) = nameless(&item.generics) {
        errors.at(name, "a type parameter is called `_`: give it a name");
        return None;
    }
    let fields: Vec<&mut Field> = match &mut item.data {
        Data::Struct(data) => data.fields.iter_mut().collect(),
        Data::Enum(data) => data.variants.iter_mut().flat_map(|variant| &mut variant.fields).collect(),
        Data::Union(data) => data.fields.named.iter_mut().collect(),
    };
    for field in fields {
        if let Some(name) = field.ident.as_ref().filter(|name| *name == "_") {
            errors.at(name, "a field is called `_`: give it a name");
            return None;
        }
        let ty = std::mem::replace(&mut field.ty, Type::Verbatim(TokenStream::new()));
        field.ty = closed(ty);
    }
    Some(item)
}
