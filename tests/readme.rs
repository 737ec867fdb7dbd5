//! The README: its length, its quotation of a compile error, and its links.

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
