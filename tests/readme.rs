//! The README: its length, its quotation of a compile error, and its links. And the paths that all
//! pages and comments name.

use std::fs;
use std::path::{Path, PathBuf};

fn readme() -> String {
    fs::read_to_string("../README.md").expect("the README is there")
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("is readable").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn the_readme_is_read_in_ten_minutes() {
    let lines = readme().lines().count();
    assert!(lines <= 130, "{lines} lines; move details to the guide");
}

#[test]
fn the_quoted_compile_error_equals_the_stderr_of_its_case() {
    let text = readme();
    let quoted: Vec<&str> = text
        .split("```text\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .filter(|block| block.starts_with("error"))
        .collect();
    assert!(!quoted.is_empty(), "the README quotes a compile error");
    let messages: Vec<String> = files(Path::new("ui"))
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "stderr"))
        .map(|path| fs::read_to_string(path).expect("is text"))
        .collect();
    for quotation in quoted {
        let known = messages.iter().any(|message| message.trim_end() == quotation.trim_end());
        assert!(known, "no case in `tests/ui` has this message:\n{quotation}");
    }
}

#[test]
fn links_lead_to_files() {
    let text = readme();
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let missing: Vec<&str> =
        links.filter(|link| !link.starts_with("http") && !Path::new("..").join(link).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The paths of files in backticks, such as `` `storage/column.rs` ``.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.filter(|text| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        let is_file = [".rs", ".md", ".toml", ".json", ".stderr"].iter().any(|end| text.ends_with(end));
        is_file && text.contains('/') && text.chars().all(plain)
    })
}

/// Whether a file is at this path from the root, from the folder of the file that names it, from a
/// package or its sources, or from the tests.
fn is_there(path: &str, named_in: &Path) -> bool {
    let sources = ["../ecs/src", "../ecs-macros/src", "../tests"].map(Path::new);
    let folders = named_in.ancestors().skip(1).take_while(|folder| folder.starts_with(".."));
    folders.chain(sources).any(|folder| folder.join(path).exists() || folder.join("src").join(path).exists())
}

#[test]
fn paths_in_comments_and_pages_lead_to_files() {
    // files of users' programs
    let examples =
        ["data/monster.json", "src/lib.rs", "tests/refused.rs", "tests/refused/client_has_no_secrets.rs"];
    let folders = ["ecs/src", "ecs/benches", "ecs-macros/src", "crates", "examples", "fuzz", "docs", "tests"];
    let mut all: Vec<PathBuf> =
        folders.iter().flat_map(|folder| files(&Path::new("..").join(folder))).collect();
    all.extend(["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"].map(|page| Path::new("..").join(page)));
    let (mut found, mut missing) = (0, Vec::new());
    for file in &all {
        let is_page = file.extension().is_some_and(|extension| extension == "md");
        let is_source = file.extension().is_some_and(|extension| extension == "rs");
        if !(is_page || is_source)
            || file.starts_with("../tests/ui")
            || file.components().any(|part| part.as_os_str() == "target")
        {
            continue;
        }
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for line in text.lines() {
            let Some(comment) =
                (if is_page { Some(line) } else { line.split_once("//").map(|(_, rest)| rest) })
            else {
                continue;
            };
            for path in paths(comment).filter(|path| !examples.contains(path)) {
                found += 1;
                if !is_there(path, file) {
                    missing.push(format!("{}: `{path}`", file.display()));
                }
            }
        }
    }
    assert!(found > 300, "{found} paths");
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn each_companion_package_has_a_readme_with_a_program_features_and_limits() {
    let crates = fs::read_dir("../crates").expect("the companions are there");
    let folders: Vec<PathBuf> = crates.map(|entry| entry.expect("is readable").path()).collect();
    assert!(folders.len() >= 5, "{folders:?}");
    // the macros of a companion are documented where it exports them
    let is_macros = |folder: &PathBuf| folder.to_string_lossy().ends_with("-macros");
    for folder in folders.into_iter().filter(|folder| !is_macros(folder)) {
        let path = folder.join("README.md");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for part in ["## A program", "```rust", "## Features", "## Limits"] {
            assert!(text.contains(part), "{} has no `{part}`", path.display());
        }
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("http")) {
            assert!(folder.join(link).exists(), "{}: {link}", path.display());
        }
        let library = fs::read_to_string(folder.join("src/lib.rs")).expect("is text");
        let tested = library.contains("include_str!(\"../README.md\")");
        assert!(tested, "the program of {} is not a test", path.display());
    }
}
