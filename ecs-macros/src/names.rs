//! Names: the path of the library, generated names, lists of lints, and types as text for messages.

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Path, PathSegment, Type, TypeParen};

/// The path of the library in an expansion: `::ecs`, another name such as `::engine` from the
/// crate's manifest, or the path in the option `crate = path`.
///
/// It is kept as single tokens: nesting one `TokenStream` in another costs a round trip to the
/// compiler.
#[derive(Clone)]
pub(crate) struct Ecs(Vec<TokenTree>);

impl Default for Ecs {
    fn default() -> Self {
        let colons = [Punct::new(':', Spacing::Joint), Punct::new(':', Spacing::Alone)];
        let name = crate::manifest::renamed();
        let name = TokenTree::Ident(Ident::new(name.as_deref().unwrap_or("ecs"), Span::call_site()));
        Self(colons.map(TokenTree::Punct).into_iter().chain([name]).collect())
    }
}

impl Ecs {
    /// Whether there is no option `crate = path`.
    pub(crate) fn is_default(&self) -> bool {
        self.to_token_stream().to_string() == Self::default().to_token_stream().to_string()
    }

    /// Whether the expansion is for the library itself.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self.0.as_slice(), [TokenTree::Ident(name)] if name == "crate")
    }

    /// The path, all at `span`.
    pub(crate) fn at(&self, span: Span) -> Self {
        let mut path = self.clone();
        path.0.iter_mut().for_each(|tree| tree.set_span(span));
        path
    }
}

impl From<Path> for Ecs {
    fn from(path: Path) -> Self {
        Self(path.into_token_stream().into_iter().collect())
    }
}

impl ToTokens for Ecs {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.iter().cloned());
    }
}

/// Like [`allow`], for impls for the user's type or system. `dead_code` is not among the lints: it
/// would count the type or the function as used, and rustc would not warn that it is never used.
///
/// A type without generics needs fewer lints, and each lint costs compile time in every expansion.
/// rustc does not lint most generated code; the remaining lints apply to tokens with the user's
/// spans.
pub(crate) fn allow_impls(is_generic: bool) -> TokenStream {
    if is_generic {
        return quote!(#[allow(
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, deprecated, missing_docs,
            missing_copy_implementations, missing_debug_implementations, non_camel_case_types, non_snake_case,
            private_bounds, private_interfaces, single_use_lifetimes, unreachable_code, unreachable_pub,
            unused_lifetimes, unused_qualifications
        )]);
    }
    let clippy = allow_clippy();
    quote!(#clippy #[allow(deprecated, unreachable_code, unused_qualifications)])
}

/// Like [`allow`], for a struct without fields and generics. It includes `dead_code`: rustc warns
/// about the function of a system that is never used.
pub(crate) fn allow_struct() -> TokenStream {
    let clippy = allow_clippy();
    quote!(#clippy #[allow(
        dead_code, missing_docs, missing_copy_implementations, missing_debug_implementations, non_camel_case_types, unreachable_pub
    )])
}

/// Allows the lints of clippy, in an attribute that rustc itself skips.
fn allow_clippy() -> TokenStream {
    quote!(#[cfg_attr(clippy, allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction))])
}

/// The lints that generated items allow.
pub(crate) fn allow() -> TokenStream {
    quote!(#[allow(
        clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, dead_code, deprecated, missing_docs,
        missing_copy_implementations, missing_debug_implementations, non_camel_case_types, non_snake_case,
        private_bounds, private_interfaces, single_use_lifetimes, unreachable_code, unreachable_pub, unused_lifetimes,
        unused_qualifications
    )])
}

/// `Position` → `position`, `HTTPServer` → `http_server`, `Position2D` → `position2d`.
pub(crate) fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut snake = String::with_capacity(name.len() + 4);
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let next_is_lower = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let starts_word = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase() || (next_is_lower && (before.is_uppercase() || before.is_numeric()))
            });
        if starts_word {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// An identifier with this text: raw for a keyword, with a `_` appended if the keyword cannot be
/// raw.
pub(crate) fn identifier(text: &str, span: Span) -> Ident {
    match text {
        "self" | "super" | "crate" | "Self" | "_" => Ident::new(&format!("{text}_"), span),
        "gen" => Ident::new_raw(text, span),
        _ if syn::parse_str::<Ident>(text).is_err() => Ident::new_raw(text, span),
        _ => Ident::new(text, span),
    }
}

/// The field name of an entry without one: the snake case of the type's last segment and of those
/// in its arguments, so that `State<Phase>` and `State<Turn>` have two names, `state_phase` and
/// `state_turn`.
pub(crate) fn field_of(ty: &Type) -> Option<Ident> {
    let last = last_of(ty)?;
    let mut words = vec![snake_case(&text(&last.ident))];
    words_of(last.arguments.to_token_stream(), &mut words);
    Some(identifier(&words.join("_"), last.ident.span()))
}

/// The name of such a field in generic parts if its type depends on their parameters: without the
/// arguments. The name of the instance comes before it.
pub(crate) fn field_of_instance(ty: &Type) -> Option<Ident> {
    let last = &last_of(ty)?.ident;
    Some(identifier(&snake_case(&text(last)), last.span()))
}

fn last_of(ty: &Type) -> Option<&PathSegment> {
    let Type::Path(path) = ungroup(ty) else { return None };
    path.path.segments.last()
}

/// The names and numbers in the arguments of a type: of a path the last segment, and no keywords
/// and lifetimes.
fn words_of(arguments: TokenStream, words: &mut Vec<String>) {
    let mut trees = arguments.into_iter().peekable();
    let mut is_lifetime = false;
    while let Some(tree) = trees.next() {
        let after_quote = std::mem::replace(
            &mut is_lifetime,
            matches!(&tree, TokenTree::Punct(sign) if sign.as_char() == '\''),
        );
        match tree {
            TokenTree::Group(group) => words_of(group.stream(), words),
            TokenTree::Ident(name) => {
                let is_prefix = matches!(trees.peek(), Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
                let name = text(&name);
                if !after_quote && !is_prefix && !["crate", "dyn", "fn", "const", "mut"].contains(&&*name) {
                    words.push(snake_case(&name));
                }
            }
            TokenTree::Literal(literal) => {
                let digits: String =
                    literal.to_string().chars().filter(char::is_ascii_alphanumeric).collect();
                words.extend(Some(digits.to_lowercase()).filter(|word| !word.is_empty()));
            }
            TokenTree::Punct(_) => {}
        }
    }
}

/// The name of the hidden world that has only these parts. The compiler shows it in messages.
pub(crate) fn only(parts: &Ident) -> Ident {
    Ident::new(&format!("only_{}", text(parts)), parts.span())
}

/// The name without `r#`.
pub(crate) fn text(name: &Ident) -> String {
    name.unraw().to_string()
}

/// The type inside the invisible groups and the parentheses that `macro_rules!` and users put
/// around types.
pub(crate) fn ungroup(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        _ => ty,
    }
}

/// The type, in parentheses if it could not be nested otherwise, as `A + B` without its `dyn`.
pub(crate) fn closed(ty: Type) -> Type {
    match ty {
        Type::TraitObject(object) if object.dyn_token.is_none() => Type::Paren(TypeParen {
            attrs: Vec::new(),
            paren_token: Default::default(),
            elem: Box::new(Type::TraitObject(object)),
        }),
        ty => ty,
    }
}

/// The source text of a type, see [`source`].
pub(crate) fn spelled(ty: &Type) -> String {
    match ungroup(ty) {
        Type::Path(path) if path.qself.is_none() => {
            path.path.get_ident().map_or_else(|| source(path), ToString::to_string)
        }
        other => source(other),
    }
}

/// The source text of tokens, with blanks only between words and after commas.
pub(crate) fn source(tokens: &impl ToTokens) -> String {
    let spaced = tokens.to_token_stream().to_string();
    if !spaced.contains(' ') {
        return spaced;
    }
    // the compiler breaks long lines
    let letters: Vec<char> = spaced.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut source = String::with_capacity(spaced.len());
    for (at, &letter) in letters.iter().enumerate() {
        let between = |before: char, after: char| {
            (is_word(before) && (is_word(after) || after == '\''))
                || before == ','
                || after == '='
                || before == '='
        };
        let needed = letter != ' '
            || (at > 0 && letters.get(at + 1).is_some_and(|&after| between(letters[at - 1], after)));
        if needed {
            source.push(letter);
        }
    }
    source
}

/// `` `a`, `b` `` for messages.
pub(crate) fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// The name in `valid` that is nearest to `wrong`, if they differ by at most two letters.
pub(crate) fn nearest<'a>(wrong: &str, valid: &[&'a str]) -> Option<&'a str> {
    let (distance, name) = valid.iter().map(|name| (distance(wrong, name), *name)).min()?;
    (distance <= 2 && distance < wrong.len()).then_some(name)
}

/// The number of letters that must be changed, added or removed (Levenshtein distance, by rows).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let change = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// The indefinite article of a noun.
pub(crate) fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn snake_case_splits_words() {
        for (camel, snake) in [
            ("Position", "position"),
            ("MaxHealth", "max_health"),
            ("HTTPServer", "http_server"),
            ("Position2D", "position2d"),
            ("Vec3Array", "vec3_array"),
            ("already_snake", "already_snake"),
        ] {
            assert_eq!(snake_case(camel), snake);
        }
    }

    #[test]
    fn keywords_become_raw() {
        let name = |ty: Type| field_of(&ty).map(|name| name.to_string());
        assert_eq!(name(parse_quote!(Match)).as_deref(), Some("r#match"));
        assert_eq!(name(parse_quote!(game::Gen)).as_deref(), Some("r#gen"));
        assert_eq!(name(parse_quote!(r#type)).as_deref(), Some("r#type"));
        assert_eq!(name(parse_quote!(Crate)).as_deref(), Some("crate_"));
        assert_eq!(name(parse_quote!((A, B))), None);
    }

    #[test]
    fn arguments_are_part_of_a_field_name() {
        let name = |ty: Type| field_of(&ty).map(|name| name.to_string()).unwrap_or_default();
        assert_eq!(name(parse_quote!(State<AppState>)), "state_app_state");
        assert_eq!(name(parse_quote!(ecs::state::State::<game::Turn>)), "state_turn");
        assert_eq!(
            name(parse_quote!(Delayed<InsertBundle<(Shield, Number)>, Play>)),
            "delayed_insert_bundle_shield_number_play"
        );
        assert_eq!(name(parse_quote!(Grid<[Cell; 8], 3, true>)), "grid_cell_8_3_true");
        assert_eq!(name(parse_quote!(Held<&'static str, { crate::N }, '-'>)), "held_str_n");
        assert_eq!(name(parse_quote!(Callback<fn(u32) -> dyn Send>)), "callback_u32_send");
        assert_eq!(name(parse_quote!(r#Match<r#Type>)), "match_type");
    }

    #[test]
    fn source_reads_like_the_users_text() {
        assert_eq!(source(&quote!(Pair<A, physics::B>)), "Pair<A, physics::B>");
        assert_eq!(source(&quote!(&'a mut dyn Shape)), "&'a mut dyn Shape");
    }

    #[test]
    fn nearest_finds_typing_mistakes_only() {
        let sections = ["components", "resources", "events"];
        assert_eq!(nearest("component", &sections), Some("components"));
        assert_eq!(nearest("evnets", &sections), Some("events"));
        assert_eq!(nearest("systems", &sections), None);
    }
}
