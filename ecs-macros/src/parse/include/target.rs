//! The path behind `include`, with its arguments, and the conditions of compilation before it.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Path, PathArguments, Result, Token};

use super::PARTS;
use super::given::bare;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::source;
use crate::source_file::{Unknown, is_module, unknown_parts, unknown_schedule};

/// A macro of the chain.
pub(crate) struct Link {
    /// The path, without arguments.
    pub(crate) path: Path,
    /// The `#[cfg(..)]` attributes.
    pub(crate) cfg: Vec<Attribute>,
}

/// The path of parts, or of a schedule of parts.
pub(super) struct Target {
    pub(super) path: Path,
    /// The source text of the path.
    pub(super) spelled: String,
    cfg: Vec<Attribute>,
}

impl Target {
    /// Reads the word and the path after it. Reports a path in quotes or in braces.
    pub(super) fn read(
        noun: &str,
        input: ParseStream<'_>,
        cfg: Vec<Attribute>,
        title: &str,
        errors: &mut Diagnostics,
    ) -> Result<(Ident, Self)> {
        let word = input.call(Ident::parse_any)?;
        Ok((word.clone(), Self::behind(&word, noun, input, cfg, title, errors)?))
    }

    /// Reads the path behind `word`.
    pub(super) fn behind(
        word: &Ident,
        noun: &str,
        input: ParseStream<'_>,
        cfg: Vec<Attribute>,
        title: &str,
        errors: &mut Diagnostics,
    ) -> Result<Self> {
        let noun = if noun == PARTS { "parts" } else { "a schedule of parts" };
        if input.peek(Token![;]) || input.is_empty() {
            return Err(word
                .span()
                .wrong(format!("{title}: expected the name of {noun} after `{word}`: `{word} physics;`")));
        }
        if let Ok(found) = input.fork().parse()
            && let Some((shown, inner)) = wrapped(&found)
        {
            let read = |inner: ParseStream<'_>| Self::read_path(inner, cfg);
            let target = read.parse2(crate::span::at(inner, found.span()));
            let path = target.as_ref().map_or_else(|_| "physics".to_owned(), |target| target.spelled.clone());
            let message = format!(
                "{title}: expected the name of {noun} after `{word}`, found `{shown}`: write `{word} {path}`"
            );
            let error = input.span().wrong(message);
            input.parse::<TokenTree>()?;
            let Ok(target) = target else { return Err(error) };
            errors.push(error);
            return Ok(target);
        }
        Self::read_path(input, cfg)
    }

    fn read_path(input: ParseStream<'_>, cfg: Vec<Attribute>) -> Result<Self> {
        let mut path = Path { leading_colon: input.parse()?, segments: Default::default() };
        loop {
            let mut segment = syn::PathSegment::from(word_of_path(input)?);
            if input.peek(Token![<]) || (input.peek(Token![::]) && input.peek3(Token![<])) {
                segment.arguments = PathArguments::AngleBracketed(input.parse()?);
            }
            path.segments.push_value(segment);
            if !input.peek(Token![::]) {
                break;
            }
            path.segments.push_punct(input.parse()?);
        }
        let spelled = source(&path);
        Ok(Self { path, spelled, cfg })
    }

    /// The schedule beside the parts, if the path leads behind the parts `name`: `step` for
    /// `bodies::step`.
    pub(super) fn beside(&self, name: &Ident) -> Option<Self> {
        let (first, last) = (self.path.segments.first()?, self.path.segments.last()?);
        let is_behind = self.path.segments.len() == 2 && self.path.leading_colon.is_none();
        (is_behind && first.ident == *name && !is_module(name)).then(|| {
            let path = Path::from(last.clone());
            Self { spelled: source(&path), path, cfg: self.cfg.clone() }
        })
    }

    /// The mistake in a path that leads to no parts, as the file shows.
    pub(super) fn unknown(&self) -> Option<Unknown> {
        let last = self.path.segments.last().filter(|_| self.cfg.is_empty())?;
        unknown_parts(&last.ident, &self.spelled)
    }

    /// The mistake in a name of no schedule of parts, as the file shows.
    pub(super) fn unknown_schedule(&self) -> Option<Unknown> {
        let last = self.path.segments.last().filter(|_| self.cfg.is_empty())?;
        unknown_schedule(&last.ident, &self.spelled)
    }

    /// The target with the name `meant` in place of its last one, or with its path.
    pub(super) fn renamed(mut self, meant: &str) -> Self {
        let names = meant.rsplit("::");
        if let Some(first) =
            self.path.segments.first().filter(|_| names.clone().count() > self.path.segments.len())
        {
            self.path.segments.insert(0, first.clone());
        }
        for (segment, name) in self.path.segments.iter_mut().rev().zip(names) {
            segment.ident = Ident::new(name, segment.ident.span());
        }
        self.spelled = source(&self.path);
        self
    }

    pub(super) fn bare(&self) -> Path {
        bare(&self.path)
    }

    pub(super) fn link(&self) -> Link {
        Link { path: self.bare(), cfg: self.cfg.clone() }
    }

    /// The arguments of the last segment.
    pub(super) fn arguments(&self) -> Vec<TokenStream> {
        match self.path.segments.last().map(|last| &last.arguments) {
            Some(PathArguments::AngleBracketed(given)) => {
                given.args.iter().map(ToTokens::to_token_stream).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Reads a name, or one of the keywords that a path may contain.
fn word_of_path(input: ParseStream<'_>) -> Result<Ident> {
    let word = input.call(Ident::parse_any)?;
    let is_keyword = syn::parse2::<Ident>(word.to_token_stream()).is_err();
    if is_keyword && !["crate", "self", "super"].iter().any(|allowed| word == allowed) {
        return Err(word.span().wrong(format!("expected a path, found keyword `{word}`")));
    }
    Ok(word)
}

/// The `#[cfg(..)]` among the attributes of an `include`, which takes no others but doc comments.
/// `says` completes a message.
pub(in crate::parse) fn conditions(
    attributes: Vec<Attribute>,
    says: impl Fn(&str) -> String,
) -> Result<Vec<Attribute>> {
    let (cfg, others): (Vec<Attribute>, Vec<Attribute>) =
        attributes.into_iter().partition(|attribute| attribute.path().is_ident("cfg"));
    match others.iter().find(|attribute| !attribute.path().is_ident("doc")) {
        Some(wrong) => Err(wrong.wrong(says(
            "`include` takes `#[cfg(..)]` and no other attributes: what is included has its own",
        ))),
        None => Ok(cfg),
    }
}

/// The tokens in quotes or braces, and their beginning for a message.
fn wrapped(tree: &TokenTree) -> Option<(String, TokenStream)> {
    match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            Some(("{".to_owned(), group.stream()))
        }
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            Some((text.clone(), text.trim_matches('"').parse().ok()?))
        }
        _ => None,
    }
}
