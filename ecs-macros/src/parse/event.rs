//! The options in parentheses behind an event of a world: `external`, `keep = 1024`,
//! `full = newest`, `skip = clear`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::ParseStream;
use syn::{Result, Token};

use super::options::{Known, option, separated, to_comma};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::{source, text};

/// The names of the options.
pub(crate) const OPTIONS: [&str; 4] = ["external", "keep", "full", "skip"];

/// The parsed options of an event.
#[derive(Clone, Default)]
pub(crate) struct Options {
    pub(crate) external: bool,
    pub(crate) keep: Option<Setting>,
    pub(crate) full: Option<Setting>,
    pub(crate) skip: Option<Setting>,
    /// Whether one of them could not be read.
    pub(crate) broken: bool,
}

/// `name = value`.
#[derive(Clone)]
pub(crate) struct Setting {
    pub(crate) name: Ident,
    pub(crate) value: TokenStream,
}

impl ToTokens for Setting {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { name, value } = self;
        tokens.extend(quote!(#name = #value));
    }
}

/// Reads the options of `subject`, to the end of `input`.
pub(crate) fn options(input: ParseStream<'_>, subject: &str, errors: &mut Diagnostics) -> Options {
    let forms = "external | keep = 1024 | keep = all | full = oldest | full = newest | full = panic | skip = clear | skip = keep";
    let known = Known { subject, forms };
    let (mut options, mut seen, mut broken) = (Options::default(), Vec::new(), false);
    separated(input, errors, &mut |input| {
        let read = option(input, &known, &mut seen, &mut |name, input| options.read(name, input, subject));
        broken |= read.is_err();
        read
    });
    Options { broken, ..options }
}

impl Options {
    /// Replaces the options that `other` gives.
    pub(crate) fn override_with(&mut self, other: Self) {
        let Self { external, keep, full, skip, broken } = other;
        self.external |= external;
        self.broken |= broken;
        if keep.as_ref().is_some_and(|keep| source(&keep.value) == "all") {
            self.full = None;
        }
        self.keep = keep.or(self.keep.take());
        self.full = full.or(self.full.take());
        self.skip = skip.or(self.skip.take());
    }

    fn read(&mut self, name: &Ident, input: ParseStream<'_>, subject: &str) -> Result<()> {
        match text(name).as_str() {
            "external" => {
                self.external = true;
                let more = to_comma(input);
                no_comma(name, &more, 0, subject)?;
                if !more.is_empty() {
                    return Err(more.wrong(format!(
                        "option `external` of {subject} takes no value: remove what follows it"
                    )));
                }
            }
            "keep" => self.keep = Some(setting(name, input, subject, "keep = 1024")?),
            "skip" => self.skip = Some(setting(name, input, subject, "skip = clear")?),
            _ => self.full = Some(setting(name, input, subject, "full = newest")?),
        }
        Ok(())
    }
}

/// Reads the value after `name =`.
fn setting(name: &Ident, input: ParseStream<'_>, subject: &str, shown: &str) -> Result<Setting> {
    let equals = input.parse::<Option<Token![=]>>()?;
    let value = to_comma(input);
    no_comma(&quote!(#name #equals), &value, 1, subject)?;
    if equals.is_none() || value.is_empty() {
        return Err((quote!(#name #equals #value))
            .wrong(format!("option `{name}` of {subject} takes its value after `=`: `{shown}`")));
    }
    Ok(Setting { name: name.clone(), value })
}

/// Refuses a second option without a comma before it, from the token with the number `from` on.
fn no_comma(before: &impl ToTokens, more: &TokenStream, from: usize, subject: &str) -> Result<()> {
    let is_option = |token: &TokenTree| OPTIONS.contains(&token.to_string().as_str());
    let Some(at) = (from..more.clone().into_iter().count())
        .find(|at| more.clone().into_iter().nth(*at).is_some_and(|token| is_option(&token)))
    else {
        return Ok(());
    };
    let before: TokenStream =
        before.to_token_stream().into_iter().chain(more.clone().into_iter().take(at)).collect();
    let second: TokenStream = more.clone().into_iter().skip(at).collect();
    Err(second.wrong(format!(
        "{subject}: expected `,` after `{}`, found `{}`",
        source(&before),
        source(&second)
    )))
}
