//! What is said of an event in a world beside its type.

use proc_macro2::{Ident, Literal, Span};
use syn::LitInt;

use crate::names::source;
use crate::parse::event::Options;

/// What may happen to events that do not fit: the word, and the variant of the library's `Full`.
pub(crate) const FULL: [(&str, &str); 3] = [("oldest", "Oldest"), ("newest", "Newest"), ("panic", "Panic")];

/// The bound on how many events are kept.
pub(crate) struct Bound {
    pub(crate) keep: Literal,
    /// A variant of the library's `Full`.
    pub(crate) full: Ident,
}

impl Options {
    /// Whether the event is written or read outside the schedules. If one of its options is not known it may be.
    pub(crate) fn is_external(&self) -> bool {
        self.external || self.broken
    }

    /// The bound, if there is one that makes sense.
    pub(crate) fn bound(&self) -> Option<Bound> {
        let keep = Literal::u32_unsuffixed(self.kept()?);
        Some(Bound { keep, full: Ident::new(self.variant().unwrap_or(FULL[0].1), Span::call_site()) })
    }

    /// The number behind `keep`, if it is one.
    pub(crate) fn kept(&self) -> Option<u32> {
        let number: LitInt = syn::parse2(self.keep.as_ref()?.value.clone()).ok()?;
        number.base10_parse().ok().filter(|&kept| kept > 0 && number.suffix().is_empty())
    }

    /// The variant behind `full`, if it is one.
    pub(crate) fn variant(&self) -> Option<&'static str> {
        let word = source(&self.full.as_ref()?.value);
        FULL.iter().find(|(known, _)| *known == word).map(|(_, variant)| *variant)
    }
}
