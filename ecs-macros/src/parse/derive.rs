//! The item of a derive and the options of its attribute: `crate = path` and, for resources and
//! events, the options of saving.

use proc_macro2::{Ident, TokenStream};
use syn::parse::ParseStream;
use syn::{DeriveInput, Expr, Result, Token};

use super::options::{self, Known};
use super::placed::Placed;
use super::saving::Saving;
use crate::diagnostic::Diagnostics;
use crate::names::{Ecs, text};

/// An item with a derive, and the options that most attributes share.
pub(crate) struct Derive {
    pub(crate) item: DeriveInput,
    pub(crate) ecs: Ecs,
    /// The options of saving, of a resource or an event.
    pub(crate) saving: Saving,
    /// The word `shared`, of a resource.
    pub(crate) shared: Option<Ident>,
    /// Whether a resource has the word `tracked`.
    pub(crate) tracked: bool,
    /// Whether a resource has the word `main_thread`.
    pub(crate) main_thread: bool,
    /// The constant after `check =`, of an event.
    pub(crate) check: Option<Expr>,
    /// Whether one of its attributes stands at a wrong place.
    pub(crate) misplaced: bool,
}

/// Reads an item with the attribute `#[attribute(crate = path)]`. `placed` are the attributes of
/// the derive with their places.
pub(crate) fn parse(
    tokens: TokenStream,
    attribute: &str,
    placed: &[Placed],
    errors: &mut Diagnostics,
) -> Option<Derive> {
    let before = errors.count();
    let item = options::item(tokens, attribute, placed, errors)?;
    let misplaced = errors.count() > before;
    let subject = format!("{attribute} `{}`", text(&item.ident));
    let known = match attribute {
        "resource" => Known {
            subject: &subject,
            names: &["tracked", "alias", "skip", "hidden", "shared", "main_thread", "crate"],
            shown: &["tracked", "alias = \"Old\"", "skip", "hidden", "shared", "main_thread", "crate = path"],
        },
        "event" => Known {
            subject: &subject,
            names: &["alias", "skip", "hidden", "check", "crate"],
            shown: &["alias = \"Old\"", "skip", "hidden", "check = CONSTANT", "crate = path"],
        },
        _ => Known { subject: &subject, names: &["crate"], shown: &["crate = path"] },
    };
    let (mut ecs, mut saving, mut shared) = (Ecs::default(), Saving::default(), None);
    let (mut tracked, mut main_thread, mut check) = (false, false, None);
    let mut read = |name: &Ident, input: ParseStream<'_>| -> Result<()> {
        match text(name).as_str() {
            "crate" => ecs = options::crate_path(input)?,
            "shared" => shared = Some(name.clone()),
            "tracked" => tracked = true,
            "main_thread" => main_thread = true,
            "check" => {
                input.parse::<Token![=]>()?;
                check = Some(input.parse()?);
            }
            _ => saving.read(name, input)?,
        }
        Ok(())
    };
    options::attributes(&item.attrs, attribute, &known, errors, &mut read);
    Some(Derive { item, ecs, saving, shared, tracked, main_thread, check, misplaced })
}
