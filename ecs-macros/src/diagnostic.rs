//! [`Diagnostics`]: collects the mistakes of one macro call.
//!
//! Every stage continues after a mistake and reports into the same [`Diagnostics`], so that the
//! user sees all mistakes at once. [`Diagnostics::finish`] puts the messages before the generated
//! items. Dropping a value without `finish` would hide mistakes and therefore panics.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{Error, Result};

/// The text of the user that a message underlines: tokens, or a span.
pub(crate) trait Culprit {
    /// The error with this message.
    fn wrong(self, message: impl Display) -> Error;
}

impl Culprit for Span {
    fn wrong(self, message: impl Display) -> Error {
        Error::new(self, message)
    }
}

impl<T: ToTokens + ?Sized> Culprit for &T {
    fn wrong(self, message: impl Display) -> Error {
        Error::new_spanned(self, message)
    }
}

/// The mistakes found so far.
#[derive(Default)]
#[must_use]
pub(crate) struct Diagnostics {
    error: Option<Error>,
    count: usize,
    finished: bool,
}

impl Diagnostics {
    /// Reports `message` under the culprit.
    pub(crate) fn at(&mut self, culprit: impl Culprit, message: impl Display) {
        self.push(culprit.wrong(message));
    }

    /// Reports an error.
    pub(crate) fn push(&mut self, error: Error) {
        self.count += 1;
        match &mut self.error {
            Some(all) => all.combine(error),
            None => self.error = Some(error),
        }
    }

    /// The value of `result`, or nothing and a report.
    pub(crate) fn take<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// Whether nothing was reported.
    pub(crate) fn is_empty(&self) -> bool {
        self.error.is_none()
    }

    /// The number of reported mistakes.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The messages, then `item`.
    pub(crate) fn finish(mut self, item: TokenStream) -> TokenStream {
        self.finished = true;
        let mut output = self.error.take().map(|error| error.to_compile_error()).unwrap_or_default();
        output.extend(item);
        output
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        assert!(self.finished || std::thread::panicking(), "diagnostics were dropped without `finish`");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn every_message_comes_out_before_the_item() {
        let mut errors = Diagnostics::default();
        errors.at(&quote!(a), "first");
        errors.at(Span::call_site(), "second");
        let text = errors
            .finish(quote!(
                fn item() {}
            ))
            .to_string();
        let place = |part| text.find(part).expect("is in the output");
        assert!(place("first") < place("second") && place("second") < place("item"));
    }

    #[test]
    #[should_panic(expected = "without `finish`")]
    fn forgotten_diagnostics_panic() {
        drop(Diagnostics::default());
    }
}
