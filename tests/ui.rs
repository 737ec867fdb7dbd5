//! What does not compile, and what the compiler says: one case for each rule, in `ui/<topic>/<case>.rs`.
//!
//! The messages beside the cases are exact for the pinned toolchain; `TRYBUILD=overwrite cargo test -p ecs-tests --test ui`
//! writes them anew. `docs/errors.md` tells users what each means; a test keeps the two together. The guide quotes some of them:
//! `GUIDE=overwrite cargo test -p ecs-guide --test text`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The files that cases name are read from the folder of the crate that trybuild makes.
fn bring_definitions() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("stands in the target folder");
    let there = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME")).join("definitions");
    fs::create_dir_all(&there).unwrap_or_else(|error| panic!("{}: {error}", there.display()));
    for name in names(Path::new("ui/components_from")).iter().filter(|name| name.ends_with(".json")) {
        let copied = fs::copy(Path::new("ui/components_from").join(name), there.join(name));
        copied.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// Apart from [`accepted`]: only without a case that passes does trybuild ask `cargo check`, which is the promise.
#[test]
fn refused() {
    bring_definitions();
    let cases = trybuild::TestCases::new();
    for topic in topics() {
        cases.compile_fail(format!("ui/{topic}/*.rs"));
    }
}

/// The counterparts: close to what is refused, and right.
#[test]
fn accepted() {
    trybuild::TestCases::new().pass("ui/accepted/*.rs");
}

#[test]
fn every_case_is_in_the_index_of_errors() {
    let index = read(Path::new("../docs/errors.md"));
    let named: BTreeSet<String> = index
        .split('`')
        .filter_map(|text| text.strip_prefix("tests/ui/")?.strip_suffix(".rs"))
        .map(str::to_owned)
        .collect();
    let there: BTreeSet<String> = topics().iter().flat_map(|topic| cases(topic)).collect();
    let missing: Vec<_> = there.difference(&named).collect();
    assert!(missing.is_empty(), "docs/errors.md does not name {missing:#?}");
    let gone: Vec<_> = named.difference(&there).collect();
    assert!(gone.is_empty(), "docs/errors.md names cases that are not there: {gone:#?}");
}

#[test]
fn every_case_has_its_message() {
    for case in topics().iter().flat_map(|topic| cases(topic)) {
        let message = Path::new("ui").join(&case).with_extension("stderr");
        assert!(message.is_file(), "`{}` is missing", message.display());
    }
}

/// The folders of refused cases.
fn topics() -> BTreeSet<String> {
    names(Path::new("ui")).into_iter().filter(|name| name != "accepted" && !name.contains('.')).collect()
}

/// The cases of a folder: `topic/case`.
fn cases(topic: &str) -> Vec<String> {
    let files = names(&Path::new("ui").join(topic));
    files.iter().filter_map(|name| Some(format!("{topic}/{}", name.strip_suffix(".rs")?))).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries
        .map(|entry| entry.expect("is readable").file_name().into_string().expect("is plain text"))
        .collect()
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
