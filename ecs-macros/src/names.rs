//! Names: the path of the library, names that are derived from the user's, and types and lists as text for
//! messages.

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Path, Type, TypeParen};

/// The path under which an expansion finds the library: `::ecs`, or `::engine` where the manifest of the crate calls it so, or
/// what the option `crate = path` says.
///
/// It is kept as single tokens: a stream within a stream is handed to the compiler and back, each time.
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
    /// Whether no option says where the library is.
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

/// As [`allow`], of impls for the user's type or system. `dead_code` is not among the lints: it would count the type or the
/// function as used, and rustc would no longer warn that it is never used.
///
/// Of one that is not generic, fewer lints can strike: each costs the compiler time, in every one. The compiler keeps quiet
/// about what a derive or an attribute has written, so only what lies over the user's words is left.
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

/// As [`allow`], of a struct without fields and generics. Of a system that is never used, its function is reported.
pub(crate) fn allow_struct() -> TokenStream {
    let clippy = allow_clippy();
    quote!(#clippy #[allow(
        dead_code, missing_copy_implementations, missing_debug_implementations, non_camel_case_types, unreachable_pub
    )])
}

/// Allows the lints of clippy, in an attribute that rustc itself skips.
fn allow_clippy() -> TokenStream {
    quote!(#[cfg_attr(clippy, allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction))])
}

/// The lints that generated items do not owe the user an answer to.
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

/// An identifier of this text: raw where it is a keyword, with `_` behind it where not even that is allowed.
pub(crate) fn identifier(text: &str, span: Span) -> Ident {
    match text {
        "self" | "super" | "crate" | "Self" | "_" => Ident::new(&format!("{text}_"), span),
        "gen" => Ident::new_raw(text, span),
        _ if syn::parse_str::<Ident>(text).is_err() => Ident::new_raw(text, span),
        _ => Ident::new(text, span),
    }
}

/// The field name of an entry without one: the snake case of the type's last segment.
pub(crate) fn field_of(ty: &Type) -> Option<Ident> {
    let Type::Path(path) = ungroup(ty) else { return None };
    let last = &path.path.segments.last()?.ident;
    Some(identifier(&snake_case(&last.unraw().to_string()), last.span()))
}

/// The world that has nothing but the parts of this name, which the compiler shows in messages.
pub(crate) fn only(parts: &Ident) -> Ident {
    Ident::new(&format!("only_{}", text(parts)), parts.span())
}

/// The name as the user reads it, without `r#`.
pub(crate) fn text(name: &Ident) -> String {
    name.unraw().to_string()
}

/// The type inside the invisible groups and the parentheses that `macro_rules!` and users put around types.
pub(crate) fn ungroup(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        _ => ty,
    }
}

/// The type in a form that can be nested in others: `A + B`, which lacks its `dyn`, gets parentheses.
pub(crate) fn closed(ty: Type) -> Type {
    match ty {
        Type::TraitObject(object) if object.dyn_token.is_none() => Type::Paren(TypeParen {
            paren_token: Default::default(),
            elem: Box::new(Type::TraitObject(object)),
        }),
        ty => ty,
    }
}

/// A type as one would write it: see [`source`].
pub(crate) fn spelled(ty: &Type) -> String {
    match ungroup(ty) {
        Type::Path(path) if path.qself.is_none() => {
            path.path.get_ident().map_or_else(|| source(path), ToString::to_string)
        }
        other => source(other),
    }
}

/// Tokens as one would write them: no blanks but those that keep words apart and follow a comma.
pub(crate) fn source(tokens: &impl ToTokens) -> String {
    let spaced = tokens.to_token_stream().to_string();
    let letters: Vec<char> = spaced.chars().collect();
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

/// The name in `valid` that `wrong` was most likely meant to be: at most two letters apart.
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
