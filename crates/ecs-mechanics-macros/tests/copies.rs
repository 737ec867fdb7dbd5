//! The macros of the library and those of the mechanics have some functions twice, since a
//! proc-macro crate exports macros only. The copies stay equal: see `ARCHITECTURE.md`.

use std::fs;
use std::path::Path;

/// The text of a function, from its name to its end.
fn function(file: &str, name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let start =
        text.find(&format!("fn {name}(")).unwrap_or_else(|| panic!("{file} has no function `{name}`"));
    let len = text[start..].find("\n}\n").expect("a function ends");
    text[start..start + len].to_owned()
}

#[test]
fn copies_of_functions_are_equal() {
    let here = "crates/ecs-mechanics-macros/src/names.rs";
    for name in ["snake_case", "identifier", "distance"] {
        assert_eq!(function(here, name), function("ecs-macros/src/names.rs", name), "`{name}`: change both");
    }
}
