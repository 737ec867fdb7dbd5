//! The ten small programs without a terminal: their pictures, their hashes and their command lines.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The most lines of code in one program, without comments and empty lines.
const MOST_LINES: usize = 150;

/// The path of a built example, in the profile of this test.
fn built(name: &str) -> PathBuf {
    let this = std::env::current_exe().expect("a running test has a path");
    let profile = this.ancestors().nth(2).expect("tests stand in a folder of the profile's");
    profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn run(name: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(built(name));
    command.args(arguments).stdin(Stdio::null()).output().expect("the example was built with this test")
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Writes the file anew if the variable `PROGRAMS` is `overwrite`.
fn prints_as_recorded(name: &str) {
    let output = run(name, &["--headless"]);
    assert!(output.status.success(), "{name} failed: {}", String::from_utf8_lossy(&output.stderr));
    let (printed, file) = (String::from_utf8_lossy(&output.stdout), format!("outputs/{name}.txt"));
    if std::env::var("PROGRAMS").is_ok_and(|mode| mode == "overwrite") {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file), &*printed).expect("can be written");
    }
    assert_eq!(printed, read(&file), "{name} prints something else");
    assert_eq!(printed.lines().count(), 25, "{name}: 24 rows and the hash");
    let hash = printed.lines().last().and_then(|line| line.strip_prefix("hash "));
    assert!(hash.is_some_and(|hash| u64::from_str_radix(hash, 16).is_ok()), "{name} ends with its hash");
    // the last screen as the guide shows it
    let guide = read("../docs/guide/src/programs.md");
    let lines: Vec<&str> = printed.lines().collect();
    let picture = format!("```text\n{}\n```\n", lines[..24].join("\n"));
    assert!(guide.contains(&picture), "the guide shows another picture of {name} than\n{picture}");
}

fn refuses_what_it_cannot_do(name: &str) {
    for arguments in [&[][..], &["--fullscreen"], &["--headless", "again"]] {
        let output = run(name, arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), output.stdout.len()),
            (Some(2), 0),
            "{name} {arguments:?}: {error}"
        );
        assert!(error.lines().count() == 1 && error.starts_with(name), "{name} {arguments:?}: {error}");
    }
}

macro_rules! programs {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let name = stringify!($name);
            prints_as_recorded(name);
            refuses_what_it_cannot_do(name);
            let text = read(&format!("{name}.rs"));
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
            let count = lines.count();
            assert!(count <= MOST_LINES, "{name} has {count} lines of code");
        }
    )*};
}
programs!(platformer shooter match3 bullets strategy stealth cards city sand orbits);

/// The genres, and the program of each. A test above, of the name of the program, runs it.
const GENRES: [(&str, &str); 10] = [
    ("Platformer", "platformer"),
    ("Twin-stick shooter", "shooter"),
    ("Match three", "match3"),
    ("Bullet hell", "bullets"),
    ("Strategy", "strategy"),
    ("Stealth", "stealth"),
    ("Card game", "cards"),
    ("City of agents", "city"),
    ("Falling sand", "sand"),
    ("Orbit simulation", "orbits"),
];

#[test]
fn w59_each_genre_has_a_minimal_program() {
    let (guide, this) = (read("../docs/guide/src/programs.md"), read("tests/programs.rs"));
    let tested =
        this.split_once("\nprograms!(").and_then(|(_, rest)| rest.split_once(')')).expect("the list").0;
    let tested: Vec<&str> = tested.split_whitespace().collect();
    assert_eq!(tested, GENRES.map(|(_, program)| program));
    for (genre, program) in GENRES {
        let (_, chapter) =
            guide.split_once(&format!("\n## {genre}\n")).expect("the guide has a section for each genre");
        let chapter = chapter.split("\n## ").next().unwrap_or_default();
        assert!(
            chapter.contains(&format!("--example {program}")) || chapter.contains(&format!("{program}.rs")),
            "{genre}"
        );
    }
}
