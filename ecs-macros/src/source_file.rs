//! The file that a macro's tokens come from. A macro sees its own tokens only, and two frequent
//! mistakes are outside of them: a step of a schedule that is a function without `#[system]`, and a
//! `#[system]` in an `impl`. Both are found in the source text, so that their messages say what to
//! write.
//!
//! Correct programs pay for a search in the text only: the file is parsed if the search finds a
//! mistake that is likely. The search for one function looks at the lines around it, and not at the
//! whole file, since a file may have hundreds of systems and macros run unoptimised. A file that is
//! not found, or is ambiguous, leaves the message to the compiler.

mod declaration;
mod parts;

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::iter;
use std::path::PathBuf;
use std::rc::Rc;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, File, FnArg, ImplItemFn, Item, Macro, Signature, Stmt, TraitItemFn, Type};

pub(crate) use self::declaration::Declaration;
pub(crate) use self::parts::{
    Unknown, are_parts, is_beside_parts, is_module, only_undeclared_parts, schedules_in_module,
    unknown_parts, unknown_schedule,
};
use crate::built_in::BuiltIn;
use crate::names::{text, ungroup};
use crate::words::has_word;

thread_local! {
    /// The texts of files. Tokens cannot be kept: they are valid during one call of a macro only.
    static TEXTS: RefCell<HashMap<PathBuf, Option<Rc<SourceText>>>> = RefCell::default();
}

struct SourceText {
    text: String,
    /// The position of the first byte of each line.
    lines: Vec<usize>,
    /// The declarations that were searched for, by name: a world asks for each listed type more
    /// than once.
    declared: RefCell<HashMap<String, Option<(usize, usize)>>>,
    /// The words in each `world!`, by the name of the world; `None` if it includes others.
    worlds: OnceCell<HashMap<String, Option<HashSet<String>>>>,
    /// Whether a `world!` lists something under `#[cfg(..)]`, and whether a system may have an input:
    /// most files have neither.
    has_conditions: bool,
    has_inputs: bool,
}

impl SourceText {
    fn new(text: String) -> Self {
        let lines = iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let has_conditions = world_texts(&text).any(|world| world.contains("#[cfg("));
        let has_inputs = text.contains("In<");
        Self {
            text,
            lines,
            declared: RefCell::default(),
            worlds: OnceCell::new(),
            has_conditions,
            has_inputs,
        }
    }
}

/// The text of the file that `span` is in, and the position of the line of `span`; `None` for the
/// code of a documentation test, whose file has it in comments.
fn file_of(span: Span) -> Option<(Rc<SourceText>, usize)> {
    if !proc_macro::is_available() {
        return None;
    }
    let span = span.unwrap();
    let path = span.local_file()?;
    let read = |path: &PathBuf| std::fs::read_to_string(path).ok().map(|text| Rc::new(SourceText::new(text)));
    let text = TEXTS.with_borrow_mut(|texts| texts.entry(path).or_insert_with_key(read).clone())?;
    let line = *text.lines.get(span.start().line().checked_sub(1)?)?;
    (!text.text[line..].trim_start().starts_with("//")).then_some((text, line))
}

/// Functions that a schedule may name by mistake.
#[derive(Default, Debug, PartialEq)]
pub(crate) struct NoSystems {
    /// The functions beside the `world!` that have no attribute that could make them systems.
    pub(crate) unmarked: HashSet<String>,
    /// The methods with `#[system]`, which report their mistake themselves.
    pub(crate) methods: HashSet<String>,
}

/// The functions in the file of `world!` that are no systems, if `names` may be among them.
pub(crate) fn no_systems(world: &proc_macro2::Ident, names: &HashSet<String>) -> NoSystems {
    let Some((source, _)) = file_of(world.span()) else { return NoSystems::default() };
    no_systems_in(&source.text, &text(world), names)
}

fn no_systems_in(source: &str, world: &str, names: &HashSet<String>) -> NoSystems {
    if !may_lack_the_attribute(source, names) {
        return NoSystems::default();
    }
    let Ok(file) = syn::parse_file(source) else { return NoSystems::default() };
    let lists = lists(&file);
    let beside: Vec<&List<'_>> = lists.iter().filter(|list| list.declares(world)).collect();
    // several worlds of the same name: it is not known which one this is
    let unmarked = match beside[..] {
        [list] => list.unmarked(),
        _ => HashSet::new(),
    };
    NoSystems { unmarked, methods: systems(&lists, true) }
}

/// The names of the type parameters that the system `name` needs, without that of its world, if the
/// file declares one function of this name and does not import another.
pub(crate) fn type_parameters_of(name: &proc_macro2::Ident) -> Vec<String> {
    let Some((source, _)) = file_of(name.span()) else { return Vec::new() };
    type_parameters_in(&source.text, &text(name))
}

fn type_parameters_in(source: &str, name: &str) -> Vec<String> {
    parameters_in(source, name).iter().map(|parameter| text(&parameter.ident)).collect()
}

fn parameters_in(source: &str, name: &str) -> Vec<syn::TypeParam> {
    let Some((at, end)) = only(source, "fn", name) else { return Vec::new() };
    // the world in `#[system(W)]` is no argument
    let Some((_, options)) = above(source, at).split_once("system") else { return Vec::new() };
    let world = options.strip_prefix('(').and_then(|rest| rest.split([',', ')']).next());
    let list = source[end..].split(['(', '{']).next().unwrap_or_default();
    let Ok(generics) = syn::parse_str::<syn::Generics>(list) else { return Vec::new() };
    let is_argument = |one: &&syn::TypeParam| world.is_none_or(|world| one.ident != world.trim());
    generics.type_params().filter(is_argument).cloned().collect()
}

/// What the type parameters of the system `name` are bounded by: `component` for `T: Component`.
pub(crate) fn nouns_of_parameters(name: &proc_macro2::Ident) -> Vec<Option<&'static str>> {
    let Some((source, _)) = file_of(name.span()) else { return Vec::new() };
    let noun = |bound: &syn::TypeParamBound| match bound {
        syn::TypeParamBound::Trait(bound) => {
            let of_trait = &bound.path.segments.last()?.ident;
            NOUNS.iter().find(|(derive, _)| of_trait == derive).map(|(_, noun)| *noun)
        }
        _ => None,
    };
    let parameters = parameters_in(&source.text, &text(name));
    parameters.iter().map(|parameter| parameter.bounds.iter().find_map(noun)).collect()
}

/// Whether the file shows that the system `name` has no input, if the file declares one function of
/// this name and does not import another: all its parameters are of the library, or borrows.
pub(crate) fn takes_no_input(name: &proc_macro2::Ident) -> bool {
    signature_of(name).is_some_and(|signature| takes_no_input_in(&signature))
}

fn takes_no_input_in(signature: &syn::Signature) -> bool {
    signature.inputs.iter().all(|parameter| match parameter {
        FnArg::Typed(parameter) => match ungroup(&parameter.ty) {
            Type::Reference(_) => true,
            ty => BuiltIn::named(ty).is_some_and(|(built_in, _)| built_in.name != "In"),
        },
        FnArg::Receiver(_) => false,
    })
}

/// Whether the file shows that the system `name` has an input.
pub(crate) fn takes_an_input(name: &proc_macro2::Ident) -> bool {
    let is_input = |parameter: &FnArg| match parameter {
        FnArg::Typed(parameter) => {
            BuiltIn::named(&parameter.ty).is_some_and(|(built_in, _)| built_in.name == "In")
        }
        FnArg::Receiver(_) => false,
    };
    file_of(name.span()).is_some_and(|(source, _)| source.has_inputs)
        && signature_of(name).is_some_and(|signature| signature.inputs.iter().any(is_input))
}

/// The signature of the system `name`, if the file declares one function of this name and does not
/// import another.
pub(crate) fn signature_of(name: &proc_macro2::Ident) -> Option<syn::Signature> {
    let (source, _) = file_of(name.span())?;
    signature_in(&source.text, &text(name))
}

fn signature_in(source: &str, name: &str) -> Option<syn::Signature> {
    let (at, _) = only(source, "fn", name).filter(|&(at, _)| above(source, at).contains("#[system"))?;
    syn::parse_str(source[at..].split('{').next()?).ok()
}

/// Whether the file declares one function of this name, a system without `pub`.
pub(crate) fn is_private_system(name: &proc_macro2::Ident) -> bool {
    let Some((source, _)) = file_of(name.span()) else { return false };
    only(&source.text, "fn", &text(name)).is_some_and(|(at, _)| {
        let above = above(&source.text, at);
        above.contains("#[system") && !words(above).any(|word| word == "pub")
    })
}

/// Whether the file declares one trait of this name, without bounds, and does not import another.
pub(crate) fn is_trait_without_bounds(name: &proc_macro2::Ident) -> bool {
    let Some((source, _)) = file_of(name.span()) else { return false };
    only(&source.text, "trait", &text(name))
        .is_some_and(|(_, end)| source.text[end..].trim_start().starts_with('{'))
}

/// The line in which the file of `world!` takes the trait `World` for a type, if it does so at each
/// use and has one world.
pub(crate) fn trait_as_type(world: &proc_macro2::Ident) -> Option<usize> {
    let (source, _) = file_of(world.span())?;
    let line = trait_as_type_in(&source.text)?;
    (!may_declare("World", world.span())).then_some(line)
}

fn trait_as_type_in(source: &str) -> Option<usize> {
    let mut first = None;
    for (at, word) in source.match_indices("World") {
        let (before, behind) = (&source[..at], &source[at + word.len()..]);
        let is_comment = before.rsplit('\n').next().is_some_and(|line| line.contains("//"));
        if is_comment || before.ends_with(is_of_a_word) || behind.starts_with(is_of_a_word) {
            continue;
        }
        let before = before.trim_end();
        // a parameter or a field, whose name is in lower case; a bound has the name of a type
        let is_field = before.strip_suffix(':').is_some_and(|name| {
            name.rsplit(|sign| !is_of_a_word(sign))
                .next()
                .is_some_and(|name| name.starts_with(char::is_lowercase))
        });
        let is_value = ["::new(", "::default("].iter().any(|call| behind.starts_with(call));
        if !is_value && !is_field && !["&mut", "&", "->"].iter().any(|sign| before.ends_with(sign)) {
            return None;
        }
        first.get_or_insert(at);
    }
    let line = source[..first?].matches('\n').count() + 1;
    (source.matches("world!").count() == 1).then_some(line)
}

/// Whether a type may have another name in the file of `span`: by an alias or an import.
pub(crate) fn may_have_alias(name: &str, span: Span) -> bool {
    let Some((source, _)) = file_of(span) else { return true };
    let mut lines = source.text.lines().filter(|line| line.contains("type ") || line.contains(" as "));
    lines.any(|line| words(line).any(|word| word == name))
}

/// The type that the system `name` returns, if the file declares one function of this name.
pub(crate) fn output_of(name: &proc_macro2::Ident) -> Option<String> {
    let (source, _) = file_of(name.span())?;
    let (_, end) = only(&source.text, "fn", &text(name))?;
    let (_, output) = source.text[end..].split(['{', ';']).next()?.split_once("->")?;
    Some(output.split("where").next()?.trim().to_owned())
}

/// Whether the function `name` stops events on their way, if the file declares one function of this
/// name.
pub(crate) fn stops_events(name: &proc_macro2::Ident) -> bool {
    file_of(name.span()).is_some_and(|(source, _)| {
        let found = only(&source.text, "fn", &text(name));
        let text = found.and_then(|(at, _)| source.text[at..].split("#[").next());
        text.is_some_and(|text| text.contains("stop_propagation") && text.contains("Bubbling<"))
    })
}

/// Where a word and a name stand, and where the name ends. It searches no further than it is asked.
fn places<'s>(source: &'s str, word: &str, name: &str) -> impl Iterator<Item = (usize, usize)> + use<'s> {
    let (begin, mut from) = (format!("{word} {name}"), 0);
    let all = iter::from_fn(move || {
        let at = from + source[from..].find(&begin)?;
        from = at + begin.len();
        Some((at, from))
    });
    all.filter(|&(_, end)| !source[end..].starts_with(is_of_a_word))
}

/// The only place of a word and a name, if the file does not import another item of this name.
fn only(source: &str, word: &str, name: &str) -> Option<(usize, usize)> {
    let mut found = places(source, word, name);
    let (Some(only), None) = (found.next(), found.next()) else { return None };
    (!imports(source).any(|word| word == name)).then_some(only)
}

/// The words of all imports.
fn imports(source: &str) -> impl Iterator<Item = &str> {
    let imports = source.split("use ").skip(1).filter_map(|behind| behind.split(';').next());
    imports.flat_map(|import| import.split(|sign| !is_of_a_word(sign)))
}

/// Whether the file has an impl of `of_trait` for the type `name`.
pub(crate) fn implements(of_trait: &str, name: &proc_macro2::Ident) -> bool {
    let Some((source, _)) = file_of(name.span()) else { return false };
    let header = format!("{of_trait} for {}", text(name));
    source.text.match_indices(&header).any(|(at, found)| {
        let is_end = |sign: char| !sign.is_alphanumeric() && sign != '_';
        let line = source.text[..at].rsplit('\n').next().unwrap_or_default();
        source.text[at + found.len()..].starts_with(is_end) && line.contains("impl") && !line.contains("//")
    })
}

/// The derives of serde on the type `name`, by the text above its declaration.
pub(crate) fn derives_of_serde(name: &proc_macro2::Ident) -> Vec<&'static str> {
    let Some((source, line)) = file_of(name.span()) else { return Vec::new() };
    derives_of_serde_in(&source.text, line, &text(name))
}

/// `line` is the position of the line with the name.
fn derives_of_serde_in(source: &str, line: usize, name: &str) -> Vec<&'static str> {
    let own = source[line..].lines().next().unwrap_or_default();
    let declaration = ["struct ", "enum "].into_iter().find_map(|word| own.find(&format!("{word}{name}")));
    let Some(declaration) = declaration else { return Vec::new() };
    // comments may have any signs
    let lines = source[..line].lines().filter(|line| !line.trim_start().starts_with("//"));
    let above = lines.chain([&own[..declaration]]).collect::<Vec<_>>().join("\n");
    let above = above.rsplit([';', '}']).next().unwrap_or_default();
    let lists = above.split("#[derive(").skip(1).filter_map(|list| list.split(")]").next());
    let derived: Vec<&str> = lists.flat_map(|list| list.split(',')).map(str::trim).collect();
    // traits of these names also exist in the crate `rkyv`
    let is_imported = source.contains("serde::") && !derived.contains(&"Archive");
    let is_of_serde = |of_trait: &&str| {
        derived.iter().any(|path| match path.rsplit_once("::") {
            Some((before, last)) => last == *of_trait && before.trim_start_matches(':') == "serde",
            None => path == of_trait && is_imported,
        })
    };
    ["Serialize", "Deserialize"].into_iter().filter(is_of_serde).collect()
}

/// The derives of this library that tell what a type is, with the nouns for it.
const NOUNS: [(&str, &str); 9] = [
    ("Component", "component"),
    ("Relation", "component"),
    ("Resource", "resource"),
    ("Event", "event"),
    ("SystemParam", "struct of parameters"),
    ("Query", "query"),
    ("Bundle", "bundle"),
    ("Aspect", "aspect"),
    ("States", "enum of states"),
];

/// The nouns of what a world lists; its sections have their plurals.
const LISTED: [&str; 3] = ["component", "resource", "event"];

/// The noun for a type that the file declares with a derive of this library. A world that lists it
/// as another thing reports that: then it is this thing.
pub(crate) fn noun_of(name: &proc_macro2::Ident) -> Option<&'static str> {
    let declared = Declaration::of(name)?;
    declared.noun().map(|noun| declared.as_listed(noun))
}

/// The noun for a component, resource or event that its file declares, and that `world`, which is in
/// the same file, does not list.
pub(crate) fn unlisted(name: &proc_macro2::Ident, world: &str) -> Option<&'static str> {
    let Some(declared) = Declaration::of(name) else {
        let (source, _) = file_of(name.span()).filter(|_| name == "ChildOf")?;
        let is_own = declared_in(&source.text, "ChildOf") != Declared::Nowhere;
        return (!is_own && !may_list(&source, world, "ChildOf")).then_some("component");
    };
    let noun = declared.noun().filter(|noun| ["component", "resource", "event"].contains(noun))?;
    let is_required = || {
        let lists = declared.source.text.split("requires(").skip(1).filter_map(|list| list.split(')').next());
        lists.flat_map(words).any(|word| word == declared.name)
    };
    let is_unlisted =
        !may_list(&declared.source, world, &declared.name) && declared.is_certain() && !is_required();
    (is_unlisted && !is_misspelt_in(&declared.source, world, &declared.name)).then_some(noun)
}

/// Whether the world called `world` lists a name like `name` that nothing has, which the compiler
/// reports.
fn is_misspelt_in(source: &SourceText, world: &str, name: &str) -> bool {
    let worlds = source.worlds.get_or_init(|| worlds_in(&source.text));
    let Some(Some(listed)) = worlds.get(world) else { return false };
    listed.iter().any(|word| {
        word.starts_with(char::is_uppercase)
            && crate::names::nearest(word, &[name]).is_some()
            && declared_in(&source.text, word) == Declared::Nowhere
    })
}

/// The text of each `world!`, which ends where a line begins with its brace.
fn world_texts(source: &str) -> impl Iterator<Item = &str> {
    source.split("world!").skip(1).filter_map(|rest| rest.split("\n}").next())
}

/// Whether the world called `world` may list the type `name`. It does not if the file has the text
/// of the world, which includes nothing, and names the type there neither by its name nor by an
/// alias.
fn may_list(source: &SourceText, world: &str, name: &str) -> bool {
    // most systems need no more than this
    if world_texts(&source.text).any(|text| words(text).any(|word| word == name)) {
        return true;
    }
    let worlds = source.worlds.get_or_init(|| worlds_in(&source.text));
    let Some(Some(listed)) = worlds.get(world) else { return true };
    let alias = |line: &str| {
        let (is_alias, is_meant) = (line.contains("type "), words(line).any(|word| word == name));
        is_alias && is_meant
    };
    listed.contains(name) || source.text.lines().any(alias)
}

/// `P` if the world called `world` lists the type `name` once, under `#[cfg(P)]`.
pub(crate) fn condition_of(name: &proc_macro2::Ident, world: &str) -> Option<TokenStream> {
    let (source, _) = file_of(name.span())?;
    source.has_conditions.then(|| condition_in(&source.text, &text(name), world)).flatten()
}

fn condition_in(source: &str, name: &str, world: &str) -> Option<TokenStream> {
    let text = world_texts(source).find(|text| places(text, "struct", world).next().is_some())?;
    let is_once = words(text).filter(|word| *word == name).count() == 1;
    let before = text[..text.find(name).filter(|_| is_once && !text.contains("include"))?].trim_end();
    let before = before.strip_suffix(':').map_or(before, |field| field.trim_end_matches(is_of_a_word));
    let (_, condition) = before.trim_end().strip_suffix(")]")?.rsplit_once("#[cfg(")?;
    condition.parse().ok()
}

/// Whether the file of `world!` imports the world's name from another crate, at its top level.
pub(crate) fn imports_the_name_of(world: &proc_macro2::Ident) -> bool {
    let Some((source, line)) = file_of(world.span()) else { return false };
    let is_at_top =
        source.text[..line].rfind("world!").is_some_and(|at| !source.text[..at].ends_with([' ', '\t']));
    is_at_top && imports_from_a_crate(&source.text, &text(world))
}

fn imports_from_a_crate(source: &str, name: &str) -> bool {
    let imports = source.match_indices("use ").filter(|(at, _)| *at == 0 || source[..*at].ends_with('\n'));
    imports.filter(|(at, _)| !above(source, *at).contains("#[cfg")).any(|(at, word)| {
        let import = source[at + word.len()..].split(';').next().unwrap_or_default();
        let all: Vec<&str> = words(import).collect();
        let is_own = ["crate", "self", "super"].contains(all.first().unwrap_or(&"self"));
        let is_another = [" as ", "::"].iter().any(|behind| import.contains(&format!("{name}{behind}")));
        !is_own && !is_another && all.iter().skip(1).any(|word| *word == name)
    })
}

fn worlds_in(source: &str) -> HashMap<String, Option<HashSet<String>>> {
    let mut found = HashMap::new();
    if let Ok(tokens) = source.parse() {
        worlds_among(tokens, &mut found);
    }
    found
}

fn worlds_among(tokens: TokenStream, found: &mut HashMap<String, Option<HashSet<String>>>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let before = trees[..at].iter().rev().take(2).map(ToString::to_string);
        if !before.eq(["!", "world"]) {
            worlds_among(group.stream(), found);
            continue;
        }
        let words = words_in(group.stream());
        let name = words.iter().skip_while(|word| *word != "struct").nth(1).cloned().unwrap_or_default();
        let includes = words.iter().any(|word| word == "include");
        let is_second = found.contains_key(&name);
        found.insert(name, (!includes && !is_second).then(|| words.into_iter().collect()));
    }
}

/// Whether an enum of states exists within another one, if its file is that of `ty`.
pub(crate) fn is_sub_state(ty: &Type) -> Option<bool> {
    let Type::Path(path) = ungroup(ty) else { return None };
    let name = &path.path.segments.last()?.ident;
    let (source, _) = file_of(name.span())?;
    let options = |above: &str| {
        let lists = above.split("#[states(").skip(1).filter_map(|list| list.split(")]").next());
        lists.filter(|list| list.contains("within")).count() > 0
    };
    declarations(&source.text, &text(name)).next().map(|(at, _)| options(above(&source.text, at)))
}

/// The type `name` with the arguments that it has in its file, if they are the same at each use.
pub(crate) fn used_with(name: &proc_macro2::Ident, parameter: &str) -> Option<Type> {
    let (source, _) = file_of(name.span())?;
    let used = used_with_in(&source.text, &text(name), parameter)?;
    let mut ty: Type = syn::parse_str(&used).ok()?;
    if let Type::Path(path) = &mut ty {
        let tokens = crate::span::at(path.to_token_stream(), name.span());
        ty = syn::parse2(tokens).ok()?;
    }
    Some(ty)
}

fn used_with_in(source: &str, name: &str, parameter: &str) -> Option<String> {
    let begin = format!("{name}<");
    let uses = source.match_indices(&begin).filter_map(|(at, _)| {
        let before = source[..at].trim_end();
        let is_item = ["struct", "enum"].iter().any(|word| before.ends_with(word));
        let is_longer = source[..at].ends_with(is_of_a_word);
        let (mut depth, rest) = (0, &source[at..]);
        let end = rest.char_indices().find_map(|(at, sign)| {
            depth += match sign {
                '<' => 1,
                '>' => -1,
                _ => 0,
            };
            (sign == '>' && depth == 0).then_some(at + 1)
        })?;
        let used = &rest[..end];
        let is_open = words(used).any(|word| word == parameter || word == "_") || used.contains("..");
        (!is_item && !is_longer && !is_open).then(|| used.to_owned())
    });
    let uses: HashSet<String> = uses.collect();
    <[_; 1]>::try_from(Vec::from_iter(uses)).ok().map(|[only]| only)
}

/// The text before `at`, up to the item above.
fn above(source: &str, at: usize) -> &str {
    source[..at].rsplit([';', '}']).next().unwrap_or_default()
}

/// Where the declarations of structs and enums of this name begin, and where the name ends.
fn declarations(source: &str, name: &str) -> impl Iterator<Item = (usize, usize)> {
    ["struct", "enum"].into_iter().flat_map(move |word| places(source, word, name))
}

/// `Name` of `path::Name`.
fn last_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or_default().trim()
}

fn is_of_a_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// A type without a derive.
#[derive(Debug, PartialEq)]
pub(crate) struct Underived {
    /// The item, without its attributes.
    pub(crate) item: String,
    /// Whether it has a misspelt derive or an attribute in its place, which the compiler reports.
    pub(crate) is_reported: bool,
}

/// The derives of the standard library and of serde, and `Reflect`, which make nothing else of a
/// type.
const STANDARD: &str =
    "Clone Copy Debug Default PartialEq Eq PartialOrd Ord Hash Serialize Deserialize Reflect";

/// With `is_listed`, it may have the derives of what a world lists.
fn underived_in(source: &str, name: &str, of_trait: &str, is_listed: bool) -> Option<Underived> {
    let file = syn::parse_file(source).ok()?;
    let lists = lists(&file);
    let items = || lists.iter().flat_map(|list| list.items.iter().copied());
    let may_be_implemented = items().any(|item| match item {
        Item::Impl(found) => {
            let last = found.trait_.as_ref().and_then(|(path, _)| path.segments.last());
            last.is_some_and(|last| text(&last.ident).contains(of_trait) || last.ident == "ComponentOf")
        }
        Item::Macro(call) => {
            let is_own = ["world", "parts"].iter().any(|own| is_last(&call.mac.path, own));
            !is_own && words_in(call.mac.tokens.clone()).iter().any(|word| word == name)
        }
        _ => false,
    });
    let declared: Vec<(Vec<Attribute>, TokenStream)> = items()
        .filter_map(|item| match item.clone() {
            Item::Struct(mut item) if item.ident == name => {
                Some((std::mem::take(&mut item.attrs), item.into_token_stream()))
            }
            Item::Enum(mut item) if item.ident == name => {
                Some((std::mem::take(&mut item.attrs), item.into_token_stream()))
            }
            _ => None,
        })
        .collect();
    let [(attributes, item)] = <[_; 1]>::try_from(declared).ok()?;
    let (derives, others): (Vec<Attribute>, Vec<Attribute>) =
        attributes.into_iter().partition(|attribute| attribute.path().is_ident("derive"));
    let derived: Vec<String> = derives
        .iter()
        .flat_map(|derive| {
            words_in(derive.meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default())
        })
        .collect();
    let is_misspelt = |word: &String| {
        word != of_trait
            && !crate::foreign::is_derive(word)
            && crate::names::nearest(word, &[of_trait]).is_some()
    };
    // `#[component]` in place of the derive, which the compiler reports
    let (in_place, others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|attribute| attribute.path().is_ident(&of_trait.to_lowercase()));
    let is_reported = derived.iter().any(is_misspelt) || !in_place.is_empty();
    let is_of_a_list = |word: &String| is_listed && LISTED.contains(&word.to_lowercase().as_str());
    let are_known =
        derived.iter().all(|word| has_word(STANDARD, word) || is_misspelt(word) || is_of_a_list(word));
    (!may_be_implemented && are_known && are_inert(&others))
        .then(|| Underived { item: item.to_string(), is_reported })
}

/// Whether a type or a function called `name` may exist in the file that `span` is in: the file declares or
/// imports it, or imports all names of a module that may have it. If it is not known, it may.
pub(crate) fn may_declare(name: &str, span: Span) -> bool {
    if !proc_macro::is_available() {
        return false;
    }
    let Some((source, _)) = file_of(span) else { return true };
    match declared_in(&source.text, name) {
        Declared::Here => true,
        Declared::Nowhere => false,
        Declared::PerhapsInTheCrate => {
            let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
            folder.is_none_or(|folder| any_file_declares(&folder.join("src"), name))
        }
    }
}

/// Whether a derive of serde is named alone in a file that imports nothing of serde.
pub(crate) fn is_not_imported(path: &syn::Path) -> bool {
    let Some(name) = path.get_ident() else { return false };
    let has_serde = |source: &SourceText| {
        ["use serde", "extern crate", "macro_use"].iter().any(|word| source.text.contains(word))
    };
    file_of(name.span()).is_some_and(|(source, _)| !has_serde(&source))
        && !may_declare(&text(name), name.span())
}

/// Whether `ty` may be a type of the user that has the name of a type of the library: a path that
/// begins with another crate or a module, or a name that the file may declare or import from
/// elsewhere.
pub(crate) fn is_of_the_user(ty: &Type) -> bool {
    let Type::Path(path) = ungroup(ty) else { return false };
    let (Some(first), Some(last)) = (path.path.segments.first(), path.path.segments.last()) else {
        return false;
    };
    if path.path.segments.len() > 1 {
        return !is_the_library(&text(&first.ident));
    }
    may_declare(&text(&last.ident), last.ident.span())
}

/// Whether a path that begins with `name` leads to this library.
fn is_the_library(name: &str) -> bool {
    name == "ecs" || crate::manifest::renamed().as_deref() == Some(name)
}

/// Where a type or a function of some name is declared.
#[derive(Debug, PartialEq)]
enum Declared {
    Here,
    Nowhere,
    /// The file imports all names of a module of the same crate.
    PerhapsInTheCrate,
}

fn any_file_declares(folder: &std::path::Path, name: &str) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return true };
    entries.flatten().map(|entry| entry.path()).any(|path| {
        if path.is_dir() {
            return any_file_declares(&path, name);
        }
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        is_source
            && std::fs::read_to_string(&path).is_ok_and(|text| declared_in(&text, name) == Declared::Here)
    })
}

fn declared_in(source: &str, name: &str) -> Declared {
    let Ok(tokens) = source.parse::<TokenStream>() else { return Declared::Here };
    let mut found = Declared::Nowhere;
    declared_among(tokens, name, false, &mut found);
    found
}

fn declared_among(tokens: TokenStream, name: &str, is_inline: bool, found: &mut Declared) {
    const DECLARING: [&str; 7] = ["struct", "enum", "union", "type", "trait", "fn", "as"];
    const OF_THE_LIBRARY: [&str; 2] = ["world", "parts"];
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let word = |at: Option<usize>| match at.and_then(|at| trees.get(at)) {
        Some(TokenTree::Ident(word)) => text(word),
        _ => String::new(),
    };
    let sign = |at: Option<usize>| match at.and_then(|at| trees.get(at)) {
        Some(TokenTree::Punct(sign)) => sign.as_char(),
        _ => ' ',
    };
    for (at, tree) in trees.iter().enumerate() {
        let before = |count: usize| at.checked_sub(count);
        match tree {
            TokenTree::Ident(ident) if ident == "use" => {
                let path = trees[at + 1..]
                    .iter()
                    .take_while(|tree| !matches!(tree, TokenTree::Punct(sign) if sign.as_char() == ';'));
                imported(path.cloned().collect(), name, is_inline, found);
            }
            TokenTree::Ident(ident) if ident == name => {
                let is_parameter = matches!(sign(before(1)), '<' | ',')
                    && sign(Some(at + 1)) == ':'
                    && sign(Some(at + 2)) != ':';
                if is_parameter || DECLARING.contains(&word(before(1)).as_str()) {
                    *found = Declared::Here;
                }
            }
            TokenTree::Group(group) => {
                let called = [2, 3]
                    .into_iter()
                    .find(|&count| sign(before(count - 1)) == '!')
                    .map(|count| word(before(count)));
                match called {
                    Some(called) if !called.is_empty() && !OF_THE_LIBRARY.contains(&called.as_str()) => {
                        if words_in(group.stream()).iter().any(|word| word == name) {
                            *found = Declared::Here;
                        }
                    }
                    _ => {
                        let is_module = word(before(2)) == "mod";
                        declared_among(group.stream(), name, is_inline || is_module, found);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Reads the path of a `use`.
fn imported(path: TokenStream, name: &str, is_inline: bool, found: &mut Declared) {
    let words = words_in(path);
    let all = words.iter().any(|word| word == "*");
    let first = words.first().map(String::as_str).unwrap_or_default();
    let position = words.iter().position(|word| word == name);
    // the name of a type of the library, unless it is given to another one
    let is_known =
        |at: usize| is_the_library(first) && words.get(at.wrapping_sub(1)).is_none_or(|word| word != "as");
    if position.is_some_and(|at| !is_known(at)) {
        *found = Declared::Here;
    } else if all && *found == Declared::Nowhere {
        match first {
            "std" | "core" | "alloc" => {}
            other if is_the_library(other) => {}
            "super" | "self" if is_inline && words.len() == 2 => {}
            "super" | "self" | "crate" => *found = Declared::PerhapsInTheCrate,
            _ => *found = Declared::Here,
        }
    }
}

/// The words and the `*` among tokens, at every depth.
pub(crate) fn words_in(tokens: TokenStream) -> Vec<String> {
    let all = tokens.into_iter().flat_map(|tree| match tree {
        TokenTree::Group(group) => words_in(group.stream()),
        TokenTree::Ident(word) => vec![text(&word)],
        TokenTree::Punct(sign) if sign.as_char() == '*' => vec!["*".to_owned()],
        _ => Vec::new(),
    });
    all.collect()
}

/// Whether `source` may have one of the functions without `#[system]`, or in an `impl`: a search
/// that may err.
fn may_lack_the_attribute(source: &str, names: &HashSet<String>) -> bool {
    source.match_indices("fn ").any(|(at, _)| {
        let rest = source[at + 3..].trim_start().trim_start_matches("r#");
        let end = rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(rest.len());
        if !names.contains(&rest[..end]) {
            return false;
        }
        let before = source[..at].trim_end().rsplit([';', '}']).next().unwrap_or_default();
        let visibility = before.rfind("pub").filter(|&start| {
            let given = before[start + 3..].trim();
            given.is_empty() || given.starts_with('(') && given.ends_with(')')
        });
        let attributes = visibility.map_or(before, |start| before[..start].trim_end());
        let line = source[..at].rfind('\n').map_or(0, |end| end + 1);
        !attributes.ends_with(']') || !attributes.contains("system") || is_in_impl(source, line)
    })
}

/// Whether the line that begins at `line` may be in an `impl` or a `trait`: the next line above
/// with less indentation begins one.
fn is_in_impl(source: &str, line: usize) -> bool {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let begins = |line: &str| {
        let mut words = line.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
        (line.contains("impl") || line.contains("trait"))
            && words.any(|word| word == "impl" || word == "trait")
    };
    let own = source[line..].lines().next().unwrap_or_default();
    let mut above = source[..line].lines().rev();
    if begins(own) {
        return true;
    }
    if indentation(own) == 0 {
        // a body without indentation
        let is_between = |line: &&str| {
            let is_function = line.starts_with("fn ") && line.ends_with('}');
            line.trim().is_empty() || line.starts_with('#') || line.starts_with("//") || is_function
        };
        return above.find(|line| !is_between(line)).is_some_and(|line| begins(line) && line.ends_with('{'));
    }
    let outer = above.find(|line| !line.trim().is_empty() && indentation(line) < indentation(own));
    outer.is_some_and(|line| begins(line) || line.trim_start().starts_with(['{', '}', ')', 'w']))
}

/// Whether the file of `name` has a function of this name.
pub(crate) fn declares_function(name: &proc_macro2::Ident) -> bool {
    let Some((source, _)) = file_of(name.span()) else { return false };
    places(&source.text, "fn", &text(name)).next().is_some()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign| !is_of_a_word(sign)).filter(|word| !word.is_empty())
}

/// Whether the function `name`, which has `#[system]` at `span`, is a method of an `impl` or a
/// `trait`.
pub(crate) fn is_method(name: &str, span: Span) -> bool {
    let Some((source, line)) = file_of(span) else { return false };
    is_in_impl(&source.text, line) && is_method_in(&source.text, name)
}

fn is_method_in(source: &str, name: &str) -> bool {
    let Ok(file) = syn::parse_file(source) else { return false };
    let lists = lists(&file);
    systems(&lists, true).contains(name) && !systems(&lists, false).contains(name)
}

/// A list of items: of a file, a module or a block, or the methods of an `impl` or a `trait`.
#[derive(Default)]
struct List<'i> {
    items: Vec<&'i Item>,
    /// The macros among the items and statements.
    macros: Vec<&'i Macro>,
    functions: Vec<(String, &'i [Attribute])>,
    are_methods: bool,
    is_module: bool,
}

/// All lists of a file, those in a list before it.
fn lists(file: &File) -> Vec<List<'_>> {
    struct Find<'i>(Vec<List<'i>>);
    impl<'i> Visit<'i> for Find<'i> {
        fn visit_file(&mut self, file: &'i File) {
            visit::visit_file(self, file);
            self.0.push(List::of(file.items.iter()));
        }

        fn visit_item_mod(&mut self, module: &'i syn::ItemMod) {
            visit::visit_item_mod(self, module);
            let items = module.content.iter().flat_map(|(_, items)| items);
            self.0.push(List { is_module: true, ..List::of(items) });
        }

        fn visit_block(&mut self, block: &'i Block) {
            visit::visit_block(self, block);
            let mut list = List::default();
            for statement in &block.stmts {
                match statement {
                    Stmt::Item(item) => list.add(item),
                    Stmt::Macro(statement) => list.macros.push(&statement.mac),
                    _ => {}
                }
            }
            self.0.push(list);
        }

        fn visit_impl_item_fn(&mut self, method: &'i ImplItemFn) {
            visit::visit_impl_item_fn(self, method);
            self.0.push(List::method(&method.sig, &method.attrs));
        }

        fn visit_trait_item_fn(&mut self, method: &'i TraitItemFn) {
            visit::visit_trait_item_fn(self, method);
            self.0.push(List::method(&method.sig, &method.attrs));
        }
    }
    let mut find = Find(Vec::new());
    find.visit_file(file);
    find.0
}

/// The functions with `#[system]`: methods, or others.
fn systems(lists: &[List<'_>], are_methods: bool) -> HashSet<String> {
    let lists = lists.iter().filter(|list| list.are_methods == are_methods);
    let functions = lists.flat_map(|list| &list.functions).filter(|(_, attributes)| is_system(attributes));
    functions.map(|(name, _)| name.clone()).collect()
}

impl<'i> List<'i> {
    fn of(items: impl Iterator<Item = &'i Item>) -> Self {
        let mut list = Self::default();
        items.for_each(|item| list.add(item));
        list
    }

    fn method(signature: &Signature, attributes: &'i [Attribute]) -> Self {
        Self { functions: vec![(text(&signature.ident), attributes)], are_methods: true, ..Self::default() }
    }

    fn add(&mut self, item: &'i Item) {
        self.items.push(item);
        match item {
            Item::Fn(function) => self.functions.push((text(&function.sig.ident), &function.attrs)),
            Item::Macro(call) => self.macros.push(&call.mac),
            _ => {}
        }
    }

    /// Whether one of its macros declares the world.
    fn declares(&self, world: &str) -> bool {
        self.macros.iter().any(|call| declares(&call.tokens, world))
    }

    /// The functions without an attribute that could make them systems. A type or a second function
    /// of the same name, for instance under another `cfg`, may be the system.
    fn unmarked(&self) -> HashSet<String> {
        let name = |item: &Item| match item {
            Item::Fn(item) => Some(text(&item.sig.ident)),
            Item::Struct(item) => Some(text(&item.ident)),
            Item::Enum(item) => Some(text(&item.ident)),
            Item::Type(item) => Some(text(&item.ident)),
            _ => None,
        };
        let names: Vec<String> = self.items.iter().filter_map(|item| name(item)).collect();
        let is_only = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
        let inert = self.functions.iter().filter(|(_, attributes)| are_inert(attributes));
        inert.map(|(name, _)| name).filter(|name| is_only(name)).cloned().collect()
    }
}

fn is_last(path: &syn::Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == name)
}

/// Whether the tokens of a macro declare the world.
fn declares(tokens: &TokenStream, world: &str) -> bool {
    let mut before = String::new();
    tokens.clone().into_iter().any(|tree| {
        let TokenTree::Ident(ident) = tree else { return false };
        let ident = text(&ident);
        let found = before == "struct" && ident == world;
        before = ident;
        found
    })
}

fn is_system(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| is_last(attribute.path(), "system"))
}

/// Whether no attribute changes what the function is.
fn are_inert(attributes: &[Attribute]) -> bool {
    const INERT: &[&str] =
        &["doc", "allow", "expect", "warn", "deny", "inline", "cold", "must_use", "track_caller"];
    attributes.iter().all(|attribute| INERT.iter().any(|inert| attribute.path().is_ident(inert)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_of_a_listed_type_is_found() {
        let source = "world! {\n    struct Game { components { A, #[cfg(any())] b: B, #[cfg(all())] C, D, D } }\n}\nfn f() {}";
        let of =
            |name| condition_in(source, name, "Game").map(|condition| condition.to_string().replace(' ', ""));
        assert_eq!(of("B").as_deref(), Some("any()"));
        assert_eq!(of("C").as_deref(), Some("all()"));
        assert_eq!((of("A"), of("D"), of("E")), (None, None, None));
    }

    #[test]
    fn a_name_is_imported_from_a_crate() {
        let imports = |source| imports_from_a_crate(source, "Game");
        assert!(imports("use shapes::Game;") && imports("use a::B;\nuse shapes::{Other as Game, C};"));
        assert!(!imports("use shapes::Game as Other;") && !imports("use super::Game;"));
        assert!(!imports("use Game::A;") && !imports("mod tests {\n    use shapes::Game;\n}"));
    }

    fn set(names: &[&str]) -> HashSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn unmarked(source: &str) -> HashSet<String> {
        no_systems_in(source, "Game", &set(&["movement", "steer"])).unmarked
    }

    const WORLD: &str = "world! { pub struct Game {} schedule tick { movement, steer } }\n";

    #[test]
    fn functions_beside_the_world_without_the_attribute_are_found() {
        let of = |functions: &str| unmarked(&format!("{WORLD}{functions}"));
        assert_eq!(of("fn movement() {}\n#[system(Game)]\nfn steer() {}"), set(&["movement"]));
        assert_eq!(of("/// The system.\npub(crate) fn movement() {}\n#[inline] pub fn steer() {}").len(), 2);
        assert_eq!(
            of("#[system(Game)] pub fn movement() {}\n#[ecs::system]\n/// Steers; all.\nfn steer() {}"),
            set(&[])
        );
        // what may be a system after all
        assert_eq!(of("#[engine] fn movement() {}"), set(&[]));
        assert_eq!(of("#[cfg(a)] fn movement() {}\n#[cfg(b)] use b::movement;"), set(&[]));
        assert_eq!(of("struct movement; fn movement() {}"), set(&[]));
        assert_eq!(of("fn movement() {} fn movement() {}"), set(&[]));
    }

    #[test]
    fn only_the_list_of_the_world_counts() {
        let inner = format!("mod game {{ {WORLD} use super::a::movement; }} mod a {{ fn movement() {{}} }}");
        assert_eq!(unmarked(&inner), set(&[]));
        assert_eq!(
            unmarked(&format!("fn test() {{ {WORLD} fn movement() {{}} }} fn steer() {{}}")),
            set(&["movement"])
        );
        assert_eq!(unmarked(&format!("{WORLD} mod a {{ {WORLD} fn movement() {{}} }}")), set(&[]));
        assert_eq!(unmarked("fn movement() {} struct Game;"), set(&[]));
        assert_eq!(unmarked("fn movement( {"), set(&[]));
    }

    #[test]
    fn declared_types_are_found() {
        let of = |source: &str| declared_in(source, "View");
        for here in [
            "struct View<T>(T);",
            "mod a { pub enum View {} }",
            "use a::{b::View, c};",
            "use a::B as View;",
            "use other::*;",
            "fn f<T, View: Clone>(view: View) {}",
            "define! { View }",
            "macro_rules! define { () => { struct View; } }",
        ] {
            assert_eq!(of(here), Declared::Here, "{here}");
        }
        for nowhere in [
            "use ecs::prelude::*; use std::fmt::*; fn f(view: View<u8>) { View::<u8>::new(); }",
            "world! { struct Game { components { View } } }",
            "mod tests { use super::*; fn f(view: View) {} }",
        ] {
            assert_eq!(of(nowhere), Declared::Nowhere, "{nowhere}");
        }
        assert_eq!(of("use crate::components::*;"), Declared::PerhapsInTheCrate);
    }

    #[test]
    fn derives_of_serde_are_found_above_their_type() {
        let of = |source: &str| {
            let at = source.find("Health").expect("is there");
            derives_of_serde_in(source, source[..at].rfind('\n').map_or(0, |end| end + 1), "Health")
        };
        let both = ["Serialize", "Deserialize"];
        assert_eq!(of("use serde::*;\n#[derive(Reflect, Serialize, Deserialize)] struct Health;"), both);
        assert_eq!(of("#[derive(serde::Serialize)]\n/// It; is }.\n#[b]\npub struct Health;"), ["Serialize"]);
        for other in [
            "use serde::*;\n#[derive(Serialize)] struct Other;\n#[derive(Reflect)] struct Health;",
            "use serde::*;\n#[cfg_attr(a, derive(Serialize))]\nstruct Health;",
            "use serde::*;\n#[derive(Archive, Serialize)]\nstruct Health;",
            "#[derive(rkyv::Serialize)]\nstruct Health;",
            "#[derive(Serialize)]\nmake!(Health);",
        ] {
            assert_eq!(of(other), [""; 0], "{other}");
        }
    }

    #[test]
    fn listed_types_without_a_derive_are_found() {
        let of = |source: &str| {
            underived_in(source, "Position", "Component", false).map(|found| found.is_reported)
        };
        assert_eq!(of("#[derive(Clone)] struct Position(f32);"), Some(false));
        assert_eq!(of("mod a { /// A place.\n pub enum Position { A } }"), Some(false));
        assert_eq!(of("#[derive(Componet)] struct Position(f32);"), Some(true));
        for derived in [
            "#[derive(Own)] struct Position(f32);",
            "#[own] struct Position(f32);",
            "struct Position(f32); impl own::Component for Position {}",
            "struct Position(f32); derive_all!(Position);",
            "struct Position(f32); mod a { struct Position; }",
            "use a::Position;",
        ] {
            assert_eq!(of(derived), None, "{derived}");
        }
    }

    fn in_impl(source: &str, line: usize) -> bool {
        is_in_impl(source, SourceText::new(source.into()).lines[line])
    }

    #[test]
    fn type_parameters_of_systems_are_found() {
        let of = |text: &str| type_parameters_in(text, "step");
        assert_eq!(of("#[system(Game)] fn step<T: Component, const N: usize>(all: Query<&T>) {}"), ["T"]);
        assert_eq!(of("#[system] pub fn step<A, B: 'static>() {}"), ["A", "B"]);
        assert_eq!(of("#[system(W)] fn step<W: World + Has<A>, S>() {}"), ["S"]);
        for unknown in [
            "#[system(W)] fn step<W: World>() {}",
            "#[system(Game)] fn step<'w>(all: Query<'w, &A>) {}",
            "#[system(Game)] fn step(all: Query<&A>) {}",
            "fn step<T>() {}",
            "use other::step; mod a { #[system] fn step<T>() {} }",
            "#[system] fn step<T>() {} mod a { fn step() {} }",
            "#[system] fn steps<T>() {}",
        ] {
            assert_eq!(of(unknown), [""; 0], "{unknown}");
        }
    }

    #[test]
    fn methods_with_the_attribute_are_found() {
        let source = format!("{WORLD}impl A {{\n    #[system(Game)]\n    fn movement() {{}}\n}}\n");
        assert!(in_impl(&source, 3) && is_method_in(&source, "movement") && !is_method_in(&source, "steer"));
        let found = no_systems_in(&source, "Game", &set(&["movement"]));
        assert_eq!(found, NoSystems { unmarked: set(&[]), methods: set(&["movement"]) });
        let module = "mod a {\n    use b::C;\n\n    #[system]\n    fn movement() {}\n}\n";
        assert!(!in_impl(module, 3));
        let both = "impl A { #[system] fn movement() {} }\n#[system] fn movement() {}";
        assert!(!is_method_in(both, "movement"));
        assert!(in_impl("impl<T> A<T>\nwhere\n    T: B,\n{\n    #[system]\n    fn a() {}\n}", 4));
    }
}
