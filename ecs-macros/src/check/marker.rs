//! The rules of resources and events.

use crate::diagnostic::Diagnostics;
use crate::model::marker::Marker;
use crate::model::subject::Subject;

pub(crate) fn check(marker: &Marker, errors: &mut Diagnostics) {
    owns_its_data(&marker.subject, marker.kind.noun(), errors);
}

/// What a world holds has no lifetime.
pub(crate) fn owns_its_data(subject: &Subject, noun: &str, errors: &mut Diagnostics) {
    for lifetime in &subject.lifetimes {
        let name = subject.name();
        errors.at(
            lifetime,
            format!(
                "{noun} `{name}` must own its data: a world outlives what `{lifetime}` borrows; hold a \
                `String` for a \
                 `&str`, a `Vec` for a slice, an `Entity` for a reference to a component"
            ),
        );
    }
}
