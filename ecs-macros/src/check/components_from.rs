//! The rules of components that files define. The model has already reported definitions that
//! cannot become structs.

use crate::diagnostic::Diagnostics;
use crate::model::components_from::Definitions;

pub(crate) fn check(definitions: &Definitions, errors: &mut Diagnostics) {
    for (span, message) in &definitions.mistakes {
        errors.at(*span, message);
    }
    for file in definitions.files.iter().filter(|file| file.full.is_none()) {
        errors.at(file.span, format!("`{}` is in a folder whose name is not UTF-8", file.path));
    }
}
