//! The derives whose attribute has few options: for each its places and its options, `crate = path`
//! and, for resources and events, the options of saving.

use proc_macro2::{Ident, TokenStream};
use syn::parse::ParseStream;
use syn::{DeriveInput, Expr, Result, Token};

use super::options::{self, Known};
use super::placed::{At, Placed};
use super::saving::Saving;
use crate::diagnostic::Diagnostics;
use crate::names::{Ecs, text};

/// The attribute of a derive.
pub(crate) struct Of {
    name: &'static str,
    placed: &'static [Placed],
    forms: &'static str,
}

const CRATE: &str = "crate = path";

pub(crate) const RESOURCE: Of = Of {
    name: "resource",
    placed: &[("resource", At::Item)],
    forms: "tracked | alias = \"Old\" | skip | hidden | shared | main_thread | crate = path",
};
pub(crate) const EVENT: Of = Of {
    name: "event",
    placed: &[("event", At::Item)],
    forms: "alias = \"Old\" | skip | hidden | check = CONSTANT | crate = path",
};
pub(crate) const BUNDLE: Of = Of { name: "bundle", placed: &[("bundle", At::Item)], forms: CRATE };
pub(crate) const ASPECT: Of =
    Of { name: "aspect", placed: &[("aspect", At::Item), ("aspect", At::Field)], forms: CRATE };
pub(crate) const META_ASPECT: Of =
    Of { name: "aspect", placed: &[("aspect", At::Item), ("one_of", At::Field)], forms: CRATE };
pub(crate) const QUERY: Of = Of { name: "query", placed: &[("query", At::Item)], forms: CRATE };
pub(crate) const SYSTEM_PARAM: Of =
    Of { name: "system_param", placed: &[("system_param", At::Item)], forms: CRATE };
/// A derive of another library.
pub(crate) const FOREIGN: Of = Of { name: "foreign", placed: &[], forms: CRATE };

/// An item with a derive, and its options.
pub(crate) struct Derive {
    pub(crate) item: DeriveInput,
    pub(crate) ecs: Ecs,
    pub(crate) options: Options,
    /// Whether one of its attributes stands at a wrong place.
    pub(crate) misplaced: bool,
}

/// The options of a resource or an event.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) saving: Saving,
    /// The word `shared`, of a resource.
    pub(crate) shared: Option<Ident>,
    /// Whether a resource has the word `tracked`.
    pub(crate) tracked: bool,
    /// Whether a resource has the word `main_thread`.
    pub(crate) main_thread: bool,
    /// The constant after `check =`, of an event.
    pub(crate) check: Option<Expr>,
}

impl Of {
    /// Reads an item with the attribute.
    pub(crate) fn parse(&self, tokens: TokenStream, errors: &mut Diagnostics) -> Option<Derive> {
        let before = errors.count();
        let item = options::item(tokens, self.name, self.placed, errors)?;
        let misplaced = errors.count() > before;
        let subject = format!("{} `{}`", self.name, text(&item.ident));
        let known = Known { subject: &subject, forms: self.forms };
        let (mut ecs, mut own) = (Ecs::default(), Options::default());
        let mut read = |name: &Ident, input: ParseStream<'_>| -> Result<()> {
            match text(name).as_str() {
                "crate" => ecs = options::crate_path(input)?,
                "shared" => own.shared = Some(name.clone()),
                "tracked" => own.tracked = true,
                "main_thread" => own.main_thread = true,
                "check" => {
                    input.parse::<Token![=]>()?;
                    own.check = Some(input.parse()?);
                }
                _ => own.saving.read(name, input)?,
            }
            Ok(())
        };
        options::attributes(&item.attrs, self.name, &known, errors, &mut read);
        Some(Derive { item, ecs, options: own, misplaced })
    }
}
