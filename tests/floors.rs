//! The order of the floors of `ecs/src`, which `ARCHITECTURE.md` draws, kept by the paths that its
//! files name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const SOURCES: &str = "../ecs/src";

/// The folders (and files without a folder), floor by floor, from the lowest one. A file names its
/// own floor and those below.
const FLOORS: &[&[&str]] = &[
    &["base"],
    &["entity", "storage", "persist", "value", "change", "error"],
    &["raw_world", "component", "event", "resource"],
    &["query", "view", "bundle"],
    &["command", "system", "schedule", "check"],
    &["world"],
    &["relation", "aspect", "prefab", "save", "reflect", "background", "state", "time"],
    &["parts", "foreign", "__private", "lib"],
];

/// Arrows that run upwards today: the folder, the folder that it names, and the reason. Only
/// removals are welcome.
const UPWARDS: &[(&str, &str, &str)] =
    &[("component", "query", "a view of a column lends its values as a query does")];

/// All source files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("is readable").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The first part of a path below the sources, without the extension: `query` of `query/iter.rs`
/// and of `query.rs`.
fn folder_of(path: &Path) -> String {
    let path = path.strip_prefix(SOURCES).expect("is below the sources");
    let first = path.components().next().expect("has a name").as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

/// The lines of code before the unit tests, without comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let end = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
    text[..end].lines().map(|line| line.split("//").next().unwrap_or_default())
}

/// The folders that each folder names by a path that begins with `crate::`, with one file in which
/// it does.
fn arrows() -> BTreeMap<(String, String), PathBuf> {
    let known: BTreeSet<&str> = FLOORS.iter().copied().flatten().copied().collect();
    let mut arrows = BTreeMap::new();
    for path in files(Path::new(SOURCES)) {
        let text = fs::read_to_string(&path).expect("is text");
        let from = folder_of(&path);
        assert!(known.contains(&*from), "{}: add `{from}` to a floor", path.display());
        for line in code(&text) {
            for rest in line.split("crate::").skip(1) {
                let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if known.contains(&*name) && name != from {
                    arrows.entry((from.clone(), name)).or_insert_with(|| path.clone());
                }
            }
        }
    }
    arrows
}

fn floor(folder: &str) -> usize {
    FLOORS.iter().position(|floor| floor.contains(&folder)).expect("every folder is on a floor")
}

#[test]
fn no_file_names_a_floor_above_its_own() {
    let arrows = arrows();
    assert!(arrows.len() > 50, "{} arrows were found; are paths read at all?", arrows.len());
    let upwards = arrows.iter().filter(|((from, to), _)| floor(to) > floor(from));
    let upwards: BTreeMap<(&str, &str), &PathBuf> =
        upwards.map(|((from, to), path)| ((&**from, &**to), path)).collect();
    for (arrow, path) in &upwards {
        let listed = UPWARDS.iter().any(|&(from, to, _)| (from, to) == *arrow);
        assert!(listed, "{}: `{}` stands below `{}` and names it", path.display(), arrow.0, arrow.1);
    }
    for &(from, to, reason) in UPWARDS {
        assert!(
            upwards.contains_key(&(from, to)),
            "`{from}` names `{to}` no more: remove the line ({reason})"
        );
    }
}

/// Lines of the core behind the feature `serde`, other than modules `saved`: the file and the item.
const SAVED_ITEMS: &[(&str, &str)] = &[("raw_world.rs", "type Saving;")];

#[test]
fn the_core_names_the_feature_serde_only_for_its_modules_of_saving() {
    let core = &FLOORS[..6];
    let mut modules = 0;
    for path in files(Path::new(SOURCES)) {
        let folder = folder_of(&path);
        if folder == "persist" || !core.iter().any(|floor| floor.contains(&&*folder)) {
            continue;
        }
        let name = path.strip_prefix(SOURCES).expect("is below the sources").display().to_string();
        let text = fs::read_to_string(&path).expect("is text");
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate() {
            if !line.contains("feature = \"serde\"")
                || line.starts_with("#[cfg_attr(feature = \"serde\", derive(")
            {
                continue;
            }
            let item = lines[at + 1..].iter().find(|line| !line.starts_with('#')).expect("has an item");
            let is_module = item.trim_start_matches("pub(crate) ") == "mod saved;" && !name.contains('/');
            modules += usize::from(is_module);
            assert!(
                is_module || SAVED_ITEMS.contains(&(&*name, item)),
                "{name}:{}: move `{item}` to `{folder}/saved.rs`, or make it unconditional",
                at + 1
            );
        }
    }
    assert!(modules >= 6, "{modules} modules were found");
}

#[test]
fn the_page_about_the_architecture_names_files_that_exist() {
    let page = fs::read_to_string("../ARCHITECTURE.md").expect("the page is there");
    let mut named = 0;
    for name in page.split('`').skip(1).step_by(2).filter(|name| name.contains('/') && !name.contains(' ')) {
        if !name.ends_with(".rs") && !name.ends_with(".md") && !name.ends_with(".toml") {
            continue;
        }
        named += 1;
        let found =
            [Path::new("..").join(name), Path::new(SOURCES).join(name)].iter().any(|path| path.exists());
        assert!(found, "ARCHITECTURE.md names `{name}`, which does not exist");
    }
    assert!(named > 30, "{named} files are named");
}

/// The folders of the library whose files may contain unsafe code, with the reason. The workspace
/// denies it, and a file that contains some says so with its own reason.
const UNSAFE: &[(&str, &str)] = &[
    ("base", "memory and locks of their own"),
    ("storage", "pages are uninitialised memory"),
    ("value", "a value is read and written at the offsets of its description"),
    ("raw_world", "disjoint parts of a world are borrowed at the same time"),
    ("query", "columns are borrowed by the access that a plan has checked"),
    ("bundle", "values of a bundle are written to pages"),
    ("command", "commands lie in one buffer of bytes"),
    ("system", "parameters are borrowed by the access that a plan has checked"),
    ("schedule", "systems run at the same time on parts of a world"),
    ("relation", "sources are queried while relations change"),
    ("save", "columns are written and read by the description of their values"),
    ("time", "a clock is shared by systems"),
];

#[test]
fn unsafe_code_is_in_folders_that_need_it() {
    for path in files(Path::new(SOURCES)) {
        let text = fs::read_to_string(&path).expect("is text");
        let folder = folder_of(&path);
        let is_listed = UNSAFE.iter().any(|(listed, _)| *listed == folder);
        assert!(
            is_listed || !text.contains("expect(unsafe_code"),
            "{}: move unsafe code to a folder that has some, or make it safe",
            path.display()
        );
    }
}
