//! The name under which the crate that is compiled depends on the library: `engine = { package = "ecs", .. }` calls it
//! `engine`. Only the dependencies in the crate's manifest are read. A name that a workspace gives is not found, and needs the
//! option `crate = path`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The package of the library.
const PACKAGE: &str = "\"ecs\"";

thread_local! {
    /// The names by the folders of the manifests, since one process may expand the macros of several crates.
    static NAMES: RefCell<HashMap<PathBuf, Option<String>>> = RefCell::default();
}

/// The library's other name in the crate that is compiled, if it has one.
pub(crate) fn renamed() -> Option<String> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)?;
    NAMES.with_borrow_mut(|names| names.entry(folder).or_insert_with_key(|folder| read(folder)).clone())
}

fn read(folder: &Path) -> Option<String> {
    name_in(&std::fs::read_to_string(folder.join("Cargo.toml")).ok()?)
}

/// The name that a dependency on the library has in a manifest, if it is another one than the library's.
fn name_in(manifest: &str) -> Option<String> {
    let (mut section, mut found) = (String::new(), None);
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']).replace('"', "");
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let (key, value) = (key.trim().replace('"', ""), value.trim());
        let name = if section.ends_with("dependencies") {
            match key.strip_suffix(".package") {
                Some(name) if value.starts_with(PACKAGE) => Some(name.to_owned()),
                Some(_) => None,
                None => is_of_library(value).then_some(key.clone()),
            }
        } else {
            let (_, name) = section.rsplit_once("dependencies.").unwrap_or_default();
            (!name.is_empty() && key == "package" && value.starts_with(PACKAGE)).then(|| name.to_owned())
        };
        found = found.or(name);
        if (section.ends_with("dependencies") && (key == "ecs" || key.starts_with("ecs.")))
            || section.ends_with("dependencies.ecs")
        {
            return None;
        }
    }
    found.map(|name| name.replace('-', "_")).filter(|name| syn::parse_str::<syn::Ident>(name).is_ok())
}

/// Whether an inline table says `package = "ecs"`.
fn is_of_library(table: &str) -> bool {
    let mut behind = table.split("package").skip(1);
    behind.any(|rest| {
        rest.trim_start().strip_prefix('=').is_some_and(|rest| rest.trim_start().starts_with(PACKAGE))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_dependency_is_found() {
        for (manifest, name) in [
            ("[dependencies]\nengine = { version = \"1\", package = \"ecs\" }\n", Some("engine")),
            (
                "[dev-dependencies]\nmy-engine = { package=\"ecs\", path = \"..\" } # here\n",
                Some("my_engine"),
            ),
            ("[dependencies.engine]\nversion = \"1\"\npackage = \"ecs\"\n", Some("engine")),
            ("[target.'cfg(unix)'.dependencies]\nengine.package = \"ecs\"\n", Some("engine")),
            ("[dependencies]\necs = \"1\"\n", None),
            ("[dependencies]\necs = \"1\"\nold = { package = \"ecs\", version = \"0.1\" }\n", None),
            ("[dependencies]\nold = { package = \"ecs\", version = \"0.1\" }\necs.workspace = true\n", None),
            ("[dependencies]\nold = { package = \"ecs\" }\n[dependencies.ecs]\nversion = \"1\"\n", None),
            ("[package]\nname = \"ecs\"\n[dependencies]\necs-macros = \"1\"\n", None),
            ("[patch.crates-io]\nengine = { package = \"ecs\", path = \"..\" }\n", None),
            ("[dependencies]\nother = { package = \"ecs-other\" }\n", None),
            ("no manifest = [", None),
        ] {
            assert_eq!(name_in(manifest).as_deref(), name, "{manifest}");
        }
    }
}
