//! One type name occurs once in the crate `ecs`: a reader who meets a name in a message, in a
//! search or in the index of types must not have to ask which of two types it is.
//!
//! The test reads the sources as text, since no tool of the compiler lists private types. Types in
//! functions and in `mod tests` are not counted: no code outside of them can name them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Names that are defined more than once, each with the reason.
const EXCEPTIONS: [(&str, &str); 2] = [
    ("LocalOf", "one of two is compiled: with or without the feature `serde`"),
    ("SavedState", "one of two is compiled: with or without the feature `serde`"),
];

#[test]
fn a_type_name_occurs_once_in_the_crate() {
    let root = Path::new("../ecs/src");
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in sources(root) {
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for (name, line) in definitions(&text) {
            let file = file.strip_prefix(root).expect("stands in the folder").display();
            places.entry(name).or_default().push(format!("{file}:{line}"));
        }
    }
    assert!(places.contains_key("Entity") && places.contains_key("World"), "the sources were not read");
    places.retain(|_, places| places.len() > 1);

    let exceptions: BTreeSet<&str> = EXCEPTIONS.iter().map(|(name, _)| *name).collect();
    let stale: Vec<_> = exceptions.iter().filter(|name| !places.contains_key(**name)).collect();
    assert!(stale.is_empty(), "these names occur once by now, remove them from `EXCEPTIONS`: {stale:?}");
    places.retain(|name, _| !exceptions.contains(name.as_str()));
    assert!(
        places.is_empty(),
        "these type names occur more than once; name each type for what it is, or give a reason in `EXCEPTIONS`: {places:#?}"
    );
}

#[test]
fn definitions_are_found_where_they_count() {
    let text = r###"
        /// struct InAComment
        pub(crate) struct Plain<'a, T>(&'a T);
        /* enum Outer /* enum Nested */ */
        unsafe trait Marker { fn with_body() { struct InAMethod; } fn without(_: [u8; 2]); }
        const TEXT: (&str, &str, char) = ("struct InAString \" {", r#"struct InARawString " {"#, '{');
        const _: () = { union InABlock { a: u8 } };
        fn f() -> impl Fn(fn(u8)) { enum InAFunction {} move |_| {} }
        mod inner { pub struct InAModule; }
        mod tests { struct InATest; }
        macro_rules! made { ($name:ident) => { struct $name; enum InAMacro {} } }
        enum Last {}
    "###;
    let found: Vec<String> = definitions(text).into_iter().map(|(name, _)| name).collect();
    assert_eq!(found, ["Plain", "Marker", "InABlock", "InAModule", "InAMacro", "Last"]);
}

/// The Rust files in a folder and in its folders.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("is readable").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The names and lines of the types and traits that a source file defines outside of functions and
/// of `mod tests`.
fn definitions(text: &str) -> Vec<(String, usize)> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let (mut braces, mut brackets) = (0_usize, 0_usize);
    // the depth of brackets at which the header of a function or of `mod tests` began: the next `{`
    // there opens its block
    let mut header: Option<usize> = None;
    // the depth of braces of the block that is skipped
    let mut skipped: Option<usize> = None;
    for (index, (token, line)) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1).map_or("", |(next, _)| next.as_str());
        match token.as_str() {
            "{" => {
                braces += 1;
                if skipped.is_none() && header == Some(brackets) {
                    skipped = Some(braces);
                    header = None;
                }
            }
            "}" => {
                if skipped == Some(braces) {
                    skipped = None;
                }
                braces -= 1;
            }
            "(" | "[" => brackets += 1,
            ")" | "]" => brackets -= 1,
            ";" if header == Some(brackets) => header = None,
            "fn" if next != "(" && skipped.is_none() => header = Some(brackets),
            "mod" if next == "tests" && skipped.is_none() => header = Some(brackets),
            "struct" | "enum" | "trait" | "union"
                if skipped.is_none() && next.starts_with(|first: char| first.is_ascii_uppercase()) =>
            {
                found.push((next.to_owned(), *line));
            }
            _ => {}
        }
    }
    found
}

/// The words and signs of a source file, each with its line; without comments, literals of text and
/// characters.
fn tokens(text: &str) -> Vec<(String, usize)> {
    let chars: Vec<char> = text.chars().collect();
    let is_word = |at: usize| chars.get(at).is_some_and(|char| char.is_alphanumeric() || *char == '_');
    let starts =
        |at: usize, with: &str| with.chars().enumerate().all(|(i, char)| chars.get(at + i) == Some(&char));
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while at < chars.len() {
        let from = at;
        if starts(at, "//") {
            while at < chars.len() && chars[at] != '\n' {
                at += 1;
            }
        } else if starts(at, "/*") {
            let mut depth = 0;
            loop {
                if starts(at, "/*") {
                    depth += 1;
                    at += 2;
                } else if starts(at, "*/") {
                    depth -= 1;
                    at += 2;
                } else {
                    at += 1;
                }
                if depth == 0 || at >= chars.len() {
                    break;
                }
            }
        } else if chars[at] == '"' {
            at += 1;
            while at < chars.len() && chars[at] != '"' {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            at += 1;
        } else if chars[at] == 'r' && (starts(at + 1, "\"") || starts(at + 1, "#")) {
            let hashes = chars[at + 1..].iter().take_while(|char| **char == '#').count();
            at += 1 + hashes;
            if starts(at, "\"") {
                let end = format!("\"{}", "#".repeat(hashes));
                at += 1;
                while at < chars.len() && !starts(at, &end) {
                    at += 1;
                }
                at += end.len();
            }
        } else if chars[at] == '\'' {
            // a character if it is closed, else the name of a lifetime
            let end = if starts(at + 1, "\\") {
                chars[at + 3..].iter().position(|char| *char == '\'').map(|length| at + 3 + length)
            } else {
                starts(at + 2, "'").then_some(at + 2)
            };
            at = end.unwrap_or(at) + 1;
        } else if is_word(at) {
            while is_word(at) {
                at += 1;
            }
            tokens.push((chars[from..at].iter().collect(), line));
        } else {
            if !chars[at].is_whitespace() {
                tokens.push((chars[at].to_string(), line));
            }
            at += 1;
        }
        line += chars[from..at.min(chars.len())].iter().filter(|char| **char == '\n').count();
    }
    tokens
}
