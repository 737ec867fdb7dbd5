//! The options of an event in a world.

use proc_macro2::{Ident, Span};
use syn::LitInt;

use crate::names::source;
use crate::parse::event::Options;

/// The policies for events beyond the bound: the word, and the variant of the library's `Full`.
pub(crate) const FULL: [(&str, &str); 3] = [("oldest", "Oldest"), ("newest", "Newest"), ("panic", "Panic")];

/// The bound of an event, if the declaration gives one.
pub(crate) struct Bound {
    pub(crate) keep: Option<Keep>,
    /// A variant of the library's `Full`.
    pub(crate) full: Ident,
    /// Whether a reader whose system is skipped misses the events that wait for it, if the
    /// declaration says so.
    pub(crate) clear: Option<bool>,
}

/// The value behind `keep`.
#[derive(Clone, Copy)]
pub(crate) enum Keep {
    All,
    AtMost(u32),
}

impl Options {
    /// Whether the event is marked `external`, or has an unknown option, which may stand for it.
    pub(crate) fn is_external(&self) -> bool {
        self.external || self.broken
    }

    /// The bound, if the options give a valid one.
    pub(crate) fn bound(&self) -> Option<Bound> {
        let (keep, clear) = (self.kept(), self.clears());
        let full = Ident::new(self.variant().unwrap_or(FULL[0].1), Span::call_site());
        (keep.is_some() || clear.is_some()).then_some(Bound { keep, full, clear })
    }

    /// The value behind `keep`, if it is valid.
    pub(crate) fn kept(&self) -> Option<Keep> {
        let value = &self.keep.as_ref()?.value;
        if source(value) == "all" {
            return Some(Keep::All);
        }
        let number: LitInt = syn::parse2(value.clone()).ok()?;
        let kept = number.base10_parse().ok().filter(|&kept| kept > 0 && number.suffix().is_empty());
        kept.map(Keep::AtMost)
    }

    /// The variant behind `full`, if it is one.
    pub(crate) fn variant(&self) -> Option<&'static str> {
        let word = source(&self.full.as_ref()?.value);
        FULL.iter().find(|(known, _)| *known == word).map(|(_, variant)| *variant)
    }

    /// Whether the option `skip` is `clear`; `None` without the option, or if it is neither `clear`
    /// nor `keep`.
    pub(crate) fn clears(&self) -> Option<bool> {
        match source(&self.skip.as_ref()?.value).as_str() {
            "clear" => Some(true),
            "keep" => Some(false),
            _ => None,
        }
    }
}
