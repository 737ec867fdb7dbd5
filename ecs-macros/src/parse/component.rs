//! `#[derive(Component)]`, with the options of `#[component(..)]`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, LitInt, LitStr, Member, PathArguments, Result, Token, Type,
    TypePath, token,
};

use super::options::{self, Known, after_equals};
use super::placed::At;
use super::saving::Saving;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::{Ecs, closed, nearest, source, text, ungroup};
use crate::source_file::Declaration;
use crate::words::is_primitive;

/// An item with `#[derive(Component)]` and its options.
pub(crate) struct Component {
    pub(crate) item: DeriveInput,
    pub(crate) ecs: Ecs,
    /// The word `deref`.
    pub(crate) deref: Option<Ident>,
    /// The option `index`, or `key`.
    pub(crate) index: Option<Index>,
    pub(crate) options: Options,
}

/// The options that the model keeps as they are.
#[derive(Default)]
pub(crate) struct Options {
    /// The entries of `requires(..)`.
    pub(crate) requires: Vec<Required>,
    /// The types in `excludes(..)`.
    pub(crate) excludes: Vec<Type>,
    /// The option `disables`.
    pub(crate) disables: Option<Disables>,
    /// The option `hook`: the user's word, and the type.
    pub(crate) hook: Option<(Ident, Type)>,
    /// Whether the word `tracked` is there.
    pub(crate) tracked: bool,
    /// The option `removed`, with its number of values.
    pub(crate) removed: Option<Removed>,
    /// The word `immutable`.
    pub(crate) immutable: Option<Ident>,
    /// Whether the word `unique` is there.
    pub(crate) unique: bool,
    /// The option `storage = "packed"`.
    pub(crate) packed: Option<Ident>,
    /// The options of saving.
    pub(crate) saving: Saving,
}

/// An entry of `#[require(..)]`, as `requires(..)` takes it.
fn required(entry: &Expr) -> Option<String> {
    matches!(entry, Expr::Path(_) | Expr::Call(_) | Expr::Struct(_) | Expr::Assign(_)).then(|| source(entry))
}

/// The cure for an attribute that components have in other libraries.
fn foreign(attribute: &Attribute) -> Option<String> {
    let cure = match text(attribute.path().get_ident()?).as_str() {
        "require" => {
            let tokens = attribute.meta.require_list().ok().map(|list| list.tokens.clone());
            let types =
                tokens.and_then(|tokens| Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens).ok());
            let types: Vec<_> = types.iter().flatten().filter_map(required).collect();
            let types = if types.is_empty() { "Position, Velocity".to_owned() } else { types.join(", ") };
            return Some(format!("write `#[component(requires({types}))]`"));
        }
        "storage" => {
            "leave it out, since each component has a column of its own; one that few entities have takes less memory with \
             `#[component(storage = \"packed\")]`"
        }
        "relationship" => {
            "write `#[derive(Relation)]` in place of `#[derive(Component)]`, and `#[relation(exclusive)]` in place of this attribute"
        }
        "relationship_target" => {
            "remove this component, since a query finds the sources of an entity by `Sources<R>`, where `R` is the relation"
        }
        _ => return None,
    };
    Some(cure.to_owned())
}

/// The option `index`, or `key`.
pub(crate) struct Index {
    /// The user's word.
    pub(crate) option: Ident,
    /// Whether the word is `key`.
    pub(crate) is_key: bool,
    /// Whether the index has an order: `index(ordered)`.
    pub(crate) ordered: bool,
    /// The field after `=`.
    pub(crate) field: Option<Member>,
    /// The type after `by =`, which is made of a reference to the component.
    pub(crate) by: Option<Type>,
    /// The option `index` or `key` that the attribute already had, if it has two.
    pub(crate) again: Option<Ident>,
}

/// The option `disables`.
pub(crate) struct Disables {
    /// The user's word.
    pub(crate) option: Ident,
    /// The types in parentheses; without any, the component disables entities.
    pub(crate) components: Vec<Type>,
}

/// The option `removed`.
pub(crate) struct Removed {
    /// The number after `=`.
    pub(crate) most: Option<usize>,
}

/// The forms of the options of a component.
pub(crate) const FORMS: &str = "requires(..) | excludes(..) | disables | disables(..) | deref | immutable | tracked | removed | \
    removed = 1024 | removed = all | unique | index | index = field | index(ordered) | index(by = Type) | key | key = field | \
    key(ordered) | hook = Type | storage = \"packed\" | alias = \"Old\" | from = Old | skip | hidden | crate = path";

/// Reads a component, or the component of a relation.
pub(crate) fn parse(tokens: TokenStream, of_relation: bool, errors: &mut Diagnostics) -> Option<Component> {
    let (noun, target) = if of_relation { ("relation", At::Field) } else { ("component", At::Nowhere) };
    let placed = [("component", At::Item), ("relation", At::Item), ("target", target)];
    let item = options::item(tokens, noun, &placed, errors)?;
    if let Some(wrong) =
        item.attrs.iter().find(|attribute| !of_relation && attribute.path().is_ident("relation"))
    {
        errors.push(wrong.wrong(format!(
            "`{}` is a relation, and `#[derive(Relation)]` makes it a component as well: derive `Relation` alone, without \
             `Component`",
            text(&item.ident)
        )));
        return None; // the caller makes a relation of it
    }
    let subject = format!("component `{}`", text(&item.ident));
    let mut refuse = |attribute: &Attribute| {
        let cure = foreign(attribute);
        if let Some(cure) = &cure {
            errors.at(attribute, format!("{subject} has an attribute of another library: {cure}"));
        }
        cure.is_some()
    };
    let is_reported = item.attrs.iter().filter(|attribute| refuse(attribute)).count() > 0;
    if let (Data::Struct(data), false) = (&item.data, is_reported) {
        data.fields.iter().flat_map(|field| &field.attrs).any(refuse);
    }
    let known = Known { subject: &subject, forms: FORMS };
    let item_name = text(&item.ident);
    let (mut ecs, mut own, mut deref, mut index) = (Ecs::default(), Options::default(), None, None::<Index>);
    let mut read = |name: &Ident, input: ParseStream<'_>| -> Result<()> {
        match text(name).as_str() {
            "requires" => {
                own.requires = in_parentheses(
                    input,
                    "the required components are written in parentheses: `requires(Position, Velocity)`",
                    "`requires` lists components, which begin with their `Default` or with a value: \
                     `requires(Velocity, Armor(3), Team = Team::Red)`",
                )?;
            }
            "excludes" => {
                own.excludes = listed(
                    input,
                    "the excluded components are written in parentheses: `excludes(Frozen, Burning)`",
                    "`excludes` lists types of components: `excludes(Frozen, Burning)`",
                )?;
            }
            "disables" => {
                own.disables = Some(Disables { option: name.clone(), components: disabled(input)? })
            }
            "hook" => {
                let found = if input.is_empty() { name.span() } else { input.span() };
                let is_closure =
                    input.peek2(Token![|]) || input.peek2(Token![||]) || input.peek2(Token![move]);
                if is_closure || input.peek2(LitStr) {
                    let (is, of) = (if is_closure { "a closure" } else { "a text" }, &item_name);
                    return Err(options::to_comma(input).wrong(format!(
                        "a hook is a type that implements `ComponentHook<{of}>`, of `ecs::component`, not {is}: `hook = Load`"
                    )));
                }
                let ty = input.parse::<Token![=]>().and_then(|_| input.parse::<TypeName>());
                own.hook = Some((name.clone(), ty.map_err(|_| found.wrong(HOOK))?.0));
            }
            "deref" => deref = Some(name.clone()),
            "immutable" => own.immutable = Some(name.clone()),
            "tracked" => own.tracked = true,
            "removed" => {
                own.removed = Some(Removed { most: value::<Most>(name, input, MOST)?.map(|most| most.0) })
            }
            "unique" => own.unique = true,
            "alias" | "from" | "skip" | "hidden" => own.saving.read(name, input)?,
            "storage" => own.packed = storage(name, input)?.then(|| name.clone()),
            "index" | "key" => {
                let (option, is_key) = (name.clone(), text(name) == "key");
                let mut read = Index { option, is_key, ordered: false, field: None, by: None, again: None };
                if input.peek(token::Paren) {
                    // without the option, so that its mistake is one error
                    read.read(input).inspect_err(|_| index = None)?;
                } else {
                    read.field = value(name, input, FIELD)?;
                }
                read.again = index.take().map(|index| {
                    read.ordered |= index.ordered;
                    index.option
                });
                index = Some(read);
            }
            _ => ecs = options::crate_path(input)?,
        }
        Ok(())
    };
    options::attributes(&item.attrs, "component", &known, errors, &mut read);
    Some(Component { item, ecs, deref, index, options: own })
}

/// The number behind `removed =`, or `all`.
struct Most(usize);

impl Parse for Most {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(Ident::peek_any) && input.fork().call(Ident::parse_any)? == "all" {
            return input.call(Ident::parse_any).map(|_| Self(usize::MAX));
        }
        let most: LitInt = input.parse()?;
        most.base10_parse().ok().filter(|most| *most > 0).map(Self).ok_or_else(|| most.wrong(MOST))
    }
}

/// Reads `= "packed"` or `= "paged"` after `storage`; whether it is `packed`.
fn storage(name: &Ident, input: ParseStream<'_>) -> Result<bool> {
    let storage: LitStr = after_equals(name, input, STORAGE)?;
    match storage.value().as_str() {
        "packed" => Ok(true),
        "paged" => Ok(false),
        other => Err(storage.wrong(format!("unknown storage `{other}`: {STORAGE}"))),
    }
}

impl Index {
    /// Reads `(ordered)`, `(ordered = field)`, `(by = Type)` or `(ordered, by = Type)`.
    fn read(&mut self, input: ParseStream<'_>) -> Result<()> {
        let option = text(&self.option);
        for form in options::listed::<IndexForm>(input, &forms(&option))? {
            match form {
                IndexForm::Ordered(field) => (self.ordered, self.field) = (true, field),
                IndexForm::By(ty) => self.by = Some(*ty),
                IndexForm::Wrong(error) => return Err(error),
                IndexForm::Unknown(word) => {
                    let meant = nearest(&text(&word), &["ordered", "by"]);
                    let cure = meant.map_or_else(
                        || format!("for a field, write `{option} = {word}`;"),
                        |near| format!("did you mean `{near}`?"),
                    );
                    return Err(word
                        .span()
                        .wrong(format!("unknown form `{word}` of `{option}`: {cure} {}", forms(&option))));
                }
            }
        }
        if let (Some(field), Some(_)) = (&self.field, &self.by) {
            return Err(field.wrong(format!(
                "`{option}` has a field and `by`, and its values have one order: leave out the field, and write \
                 `{option}(ordered, by = Type)`"
            )));
        }
        Ok(())
    }
}

/// The message for wrong parentheses after `index` and `key`.
fn forms(option: &str) -> String {
    format!("the forms are `{option}(ordered)`, `{option}(ordered = field)` and `{option}(by = Type)`")
}

/// A word in the parentheses of `index(..)`.
enum IndexForm {
    Ordered(Option<Member>),
    By(Box<Type>),
    Wrong(Error),
    Unknown(Ident),
}

impl Parse for IndexForm {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let word = input.call(Ident::parse_any)?;
        match text(&word).as_str() {
            "ordered" => value(&word, input, FIELD).map(Self::Ordered),
            "by" => {
                let found = if input.is_empty() { word.span() } else { input.span() };
                let ty = input.parse::<Option<Token![=]>>().and_then(|_| input.parse::<TypeName>());
                let is_function = |ty: &Type| matches!(ty, Type::Path(path) if starts_in_lower_case(path));
                Ok(match ty {
                    Ok(TypeName(ty)) if !is_function(&ty) => Self::By(Box::new(ty)),
                    Ok(TypeName(ty)) => Self::Wrong(ty.wrong(BY)),
                    Err(_) => {
                        options::to_comma(input);
                        Self::Wrong(found.wrong(BY))
                    }
                })
            }
            _ => {
                options::to_comma(input);
                Ok(Self::Unknown(word))
            }
        }
    }
}

/// Whether a path is the name of a function or a field, and no primitive type.
fn starts_in_lower_case(path: &TypePath) -> bool {
    let name = path.path.get_ident().map(text).unwrap_or_default();
    name.starts_with(char::is_lowercase) && !is_primitive(&name)
}

/// The message for a wrong value of `by`.
const BY: &str = "`by` takes the type of the key, which `From` makes of a reference to the component: \
                  write `index(by = Cell)` and `impl From<&Position> for Cell { .. }`";

/// Reads `= value` after an option, which is optional.
fn value<T: Parse>(name: &Ident, input: ParseStream<'_>, message: &str) -> Result<Option<T>> {
    if input.peek(Token![=]) { after_equals(name, input, message).map(Some) } else { Ok(None) }
}

/// The message for a wrong value of `index` or `key`.
const FIELD: &str = "the field by which entities are found is written after `=`: `index = name`, `key = 0`";

/// The message for a wrong value of `storage`.
const STORAGE: &str = "the storages are `storage = \"packed\"`, for a component that few entities have, and \
                       `storage = \"paged\"`, which every component has without the option";

/// The message for a wrong value of `removed`.
const MOST: &str =
    "`removed` takes the number of values that are kept at most, from 1 on, or `all`: `removed = 1024`";

/// Reads `(A, B)` after `requires` and `excludes`, and `target` of a relation.
pub(super) fn listed(input: ParseStream<'_>, expected: &str, of_entry: &str) -> Result<Vec<Type>> {
    let types: Vec<TypeName> = in_parentheses(input, expected, of_entry)?;
    Ok(types.into_iter().map(|name| name.0).collect())
}

/// Whether `derive(Component)` stands on a relation, which has no derive of its own as its file
/// shows.
pub(crate) fn is_relation(tokens: TokenStream) -> bool {
    let Ok(item) = syn::parse2::<DeriveInput>(tokens) else { return false };
    item.attrs.iter().any(|attribute| attribute.path().is_ident("relation"))
        && Declaration::of(&item.ident).is_some_and(|declared| !declared.has_derive("Relation"))
}

/// Reads a list in parentheses.
fn in_parentheses<T: Parse>(input: ParseStream<'_>, expected: &str, of_entry: &str) -> Result<Vec<T>> {
    if input.peek(token::Paren) { options::listed(input, of_entry) } else { Err(input.error(expected)) }
}

/// An entry of `requires(..)`: a component, and the value with which it begins.
pub(crate) struct Required {
    pub(crate) ty: Type,
    /// `None` for the default.
    pub(crate) value: Option<Expr>,
    /// Whether the value is the result of a function, whose type is not known.
    pub(crate) unnamed: bool,
}

impl Parse for Required {
    /// Reads `Armor`, `Armor(3)`, `Armor { points: 3 }`, `Armor::new(3)` or `Armor = armor(3)`.
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (start, mut ty, mut depth) = (input.fork(), TokenStream::new(), 0);
        while !input.is_empty() {
            let at_end = input.peek(Token![,]) || input.peek(Token![=]) && !input.peek(Token![==]);
            let constructs = !ty.is_empty() && (input.peek(token::Paren) || input.peek(token::Brace));
            if depth == 0 && (at_end || constructs) {
                break;
            }
            if input.peek(Token![<]) {
                depth += 1;
            } else if input.peek(Token![>]) && !input.peek(Token![->]) {
                depth -= 1;
            }
            ty.extend([input.parse::<TokenTree>()?]);
        }
        let TypeName(mut ty) = syn::parse2(ty)?;
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            return Ok(Self { ty, value: Some(input.parse()?), unnamed: false });
        }
        if !(input.peek(token::Paren) || input.peek(token::Brace)) {
            return Ok(Self { ty, value: None, unnamed: false });
        }
        let value: Expr = start.parse()?;
        input.parse::<TokenTree>()?;
        if let Expr::Call(call) = &value
            && let (Some(Expr::Closure(closure)), 1) = (call.args.first(), call.args.len())
            && closure.inputs.is_empty()
        {
            let (shown, body) = (source(&ty), source(&closure.body));
            return Err(closure.wrong(format!(
                "a required component has its value, not a closure: write `requires({shown} = {body})`"
            )));
        }
        let unnamed = !keep_type(&mut ty);
        Ok(Self { ty, value: Some(value), unnamed })
    }
}

/// Shortens the path of a constructor to that of its type: `Armor::new` and `Team::Red` to the part
/// before. Returns `false` for a function that does not belong to a type.
fn keep_type(ty: &mut Type) -> bool {
    let Type::Path(path) = ty else { return true };
    let segments = &mut path.path.segments;
    let is_type = |at: usize| text(&segments[at].ident).starts_with(char::is_uppercase);
    let last = segments.len() - 1;
    let belongs = last > 0 && is_type(last - 1);
    if !belongs {
        return is_type(last);
    }
    segments.pop();
    segments.pop_punct();
    true
}

/// Reads `(A, B)` after `disables`, which is optional.
fn disabled(input: ParseStream<'_>) -> Result<Vec<Type>> {
    if !input.peek(token::Paren) {
        return Ok(Vec::new());
    }
    let found = input.span();
    let components = listed(input, DISABLES, DISABLES)?;
    if components.is_empty() { Err(found.wrong(DISABLES)) } else { Ok(components) }
}

/// The message for a wrong list after `disables`.
const DISABLES: &str = "`disables` lists types of components, or has no parentheses and disables the entity: \
                        `disables(Velocity)`, `disables`";

/// The message for a wrong value of `hook`.
const HOOK: &str = "the type of the hook is written after `=`: `hook = Load`";

/// A type that is not written like a call, `Velocity(u8)`.
pub(super) struct TypeName(pub(super) Type);

impl Parse for TypeName {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let ty: Type = input.parse()?;
        let called = matches!(ungroup(&ty), Type::Path(path)
            if path.path.segments.iter().any(|one| matches!(one.arguments, PathArguments::Parenthesized(_))));
        if called { Err(input.error("a type")) } else { Ok(Self(closed(ty))) }
    }
}
