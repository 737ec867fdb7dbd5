//! The rules of resources and events.

use proc_macro2::{Ident, Span};

use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::marker::{Kind, Marker};
use crate::model::subject::Subject;
use crate::names::text;
use crate::parse::saving::Saving;

pub(crate) fn check(marker: &Marker, errors: &mut Diagnostics) {
    owns_its_data(&marker.subject, marker.kind.noun(), errors);
    can_be_saved(&marker.subject, marker.kind.noun(), &marker.options.saving, errors);
    is_not_changed_behind_res(marker, errors);
}

/// Refuses a resource with a lock or an atomic, since systems that run at the same time would see
/// each other's changes in any order.
fn is_not_changed_behind_res(marker: &Marker, errors: &mut Diagnostics) {
    if marker.options.main_thread {
        return; // systems with the resource run one after the other
    }
    if let (Kind::Resource, None, Some(interior)) = (marker.kind, &marker.options.shared, &marker.interior) {
        let (name, interior_name) = (marker.subject.name(), text(interior));
        errors.push(interior.wrong(format!(
            "resource `{name}` can be changed through `Res<{name}>`, since it holds `{interior_name}`: systems that \
             run at the same time would see the changes of each other in any order; hold the value itself and change \
             it through `ResMut<{name}>`, or write `#[resource(shared)]`, so that systems with `Res<{name}>` run one \
             after the other"
        )));
    }
}

/// Refuses options of saving without the feature `serde`, and options that contradict each other.
pub(crate) fn can_be_saved(subject: &Subject, noun: &str, saving: &Saving, errors: &mut Diagnostics) {
    let name = subject.name();
    if let (Some(first), false) = (saving.first, cfg!(feature = "serde")) {
        errors.at(
            first,
            format!("how {noun} `{name}` is saved: enable the feature `serde` of the crate `ecs`"),
        );
        return;
    }
    if let (Some(skip), false) = (&saving.skip, saving.aliases.is_empty() && saving.olds.is_empty()) {
        errors.at(skip, format!("{noun} `{name}` is not saved: `skip` goes without `alias` and `from`"));
    }
}

/// Refuses lifetime parameters: a world owns its data.
pub(crate) fn owns_its_data(subject: &Subject, noun: &str, errors: &mut Diagnostics) {
    for lifetime in &subject.lifetimes {
        let name = subject.name();
        errors.push(lifetime.wrong(format!(
            "{noun} `{name}` must own its data: a world outlives what `{lifetime}` borrows; hold a \
                `String` for a \
                 `&str`, a `Vec` for a slice, an `Entity` for a reference to a component"
        )));
    }
}

/// Refuses an item of another kind, and one without fields or variants.
pub(super) fn has_parts(
    other: Option<(&'static str, Span)>,
    (ident, is_empty): (&Ident, bool),
    of_other: impl FnOnce(&str) -> String,
    of_empty: &str,
    errors: &mut Diagnostics,
) {
    match other {
        Some((found, span)) => errors.at(span, of_other(found)),
        None if is_empty => errors.at(ident, of_empty),
        None => {}
    }
}
