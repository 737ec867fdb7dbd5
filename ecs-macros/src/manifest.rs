//! The name under which the crate that is compiled depends on the library:
//! `engine = { package = "checked-ecs", .. }` calls it `engine`. Only the dependencies in the
//! crate's manifest are read. A name that a workspace gives is not found, and needs the option
//! `crate = path`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The package of the library.
const PACKAGE: &str = "checked-ecs";

thread_local! {
    /// The names by the folders of the manifests, since one process may expand the macros of
    /// several crates.
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

/// Whether the crate that is compiled may have a dependency, or a library of its own, of this name:
/// its manifest has the name, or cannot be read.
pub(crate) fn may_depend_on(name: &str) -> bool {
    let Some(folder) = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from) else { return true };
    let Ok(manifest) = std::fs::read_to_string(folder.join("Cargo.toml")) else { return true };
    ["std", "core", "alloc"].contains(&name) || manifest.replace('-', "_").contains(name)
}

/// The name of the dependency on the library in a manifest, if it differs from the library's own
/// name.
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
                Some(name) if is_package(value) => Some(name.to_owned()),
                Some(_) => None,
                None => is_of_library(value).then_some(key.clone()),
            }
        } else {
            let (_, name) = section.rsplit_once("dependencies.").unwrap_or_default();
            (!name.is_empty() && key == "package" && is_package(value)).then(|| name.to_owned())
        };
        // Without another name the library is `ecs`, the name of its library target.
        let direct = section.ends_with("dependencies") && key.split('.').next() == Some(PACKAGE)
            || section.ends_with(&format!("dependencies.{PACKAGE}"));
        if direct || name.as_deref() == Some("ecs") {
            return None;
        }
        found = found.or(name);
    }
    found.map(|name| name.replace('-', "_")).filter(|name| syn::parse_str::<syn::Ident>(name).is_ok())
}

/// Whether a value begins with the name of the package, in quotes.
fn is_package(value: &str) -> bool {
    value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_prefix(PACKAGE))
        .is_some_and(|rest| rest.starts_with('"'))
}

/// Whether an inline table says `package = "checked-ecs"`.
fn is_of_library(table: &str) -> bool {
    let mut behind = table.split("package").skip(1);
    behind.any(|rest| rest.trim_start().strip_prefix('=').is_some_and(|rest| is_package(rest.trim_start())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_dependency_is_found() {
        for (manifest, name) in [
            ("[dependencies]\nengine = { version = \"1\", package = \"checked-ecs\" }\n", Some("engine")),
            (
                "[dev-dependencies]\nmy-engine = { package=\"checked-ecs\", path = \"..\" } # here\n",
                Some("my_engine"),
            ),
            ("[dependencies.engine]\nversion = \"1\"\npackage = \"checked-ecs\"\n", Some("engine")),
            ("[target.'cfg(unix)'.dependencies]\nengine.package = \"checked-ecs\"\n", Some("engine")),
            ("[dependencies]\nchecked-ecs = \"1\"\n", None),
            ("[dependencies]\nchecked-ecs = { version = \"1\", features = [\"json\"] }\n", None),
            ("[dependencies]\necs = { package = \"checked-ecs\", version = \"1\" }\n", None),
            (
                "[dependencies]\nchecked-ecs = \"1\"\nold = { package = \"checked-ecs\", version = \"0.1\" }\n",
                None,
            ),
            (
                "[dependencies]\nold = { package = \"checked-ecs\", version = \"0.1\" }\nchecked-ecs.workspace = true\n",
                None,
            ),
            (
                "[dependencies]\nold = { package = \"checked-ecs\" }\n[dependencies.checked-ecs]\nversion = \"1\"\n",
                None,
            ),
            // another library has the name `ecs`
            ("[dependencies]\necs = \"0.3\"\nengine = { package = \"checked-ecs\" }\n", Some("engine")),
            ("[package]\nname = \"checked-ecs\"\n[dependencies]\nchecked-ecs-macros = \"1\"\n", None),
            ("[patch.crates-io]\nengine = { package = \"checked-ecs\", path = \"..\" }\n", None),
            ("[dependencies]\nother = { package = \"checked-ecs-other\" }\n", None),
            ("no manifest = [", None),
        ] {
            assert_eq!(name_in(manifest).as_deref(), name, "{manifest}");
        }
    }
}
