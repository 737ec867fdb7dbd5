//! Programs that must not compile, with the compiler's messages, in `ui/<topic>`, or in
//! `ui/<topic>/<rule>` in topics of many cases. A program has all mistakes of its topic that the
//! compiler reports together: `refused_by_the_macro`, `refused_by_a_trait`. A mistake whose error
//! would hide others, or that the guide quotes, has a program of its own.
//!
//! The messages beside the cases are exact for the pinned toolchain;
//! `TRYBUILD=overwrite cargo test -p ecs-tests --test ui` updates them. `docs/errors.md` explains
//! each message to users; a test here checks that it names every case. The guide quotes some of the
//! messages: `GUIDE=overwrite cargo test -p ecs-guide --test text` copies them again.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Copies the JSON files of `ui/components_from` into the crate that trybuild generates:
/// `components_from!` reads a file relative to the crate that calls it.
fn copy_definitions() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("stands in the target folder");
    let there = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME")).join("definitions");
    fs::create_dir_all(&there).unwrap_or_else(|error| panic!("{}: {error}", there.display()));
    for name in names(Path::new("ui/components_from")).iter().filter(|name| name.ends_with(".json")) {
        let copied = fs::copy(Path::new("ui/components_from").join(name), there.join(name));
        copied.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// Gives all that trybuild builds the same flags. trybuild adds `--diagnostic-width` for the cases
/// and not for their dependencies, and cargo does not share what it built with other flags: it
/// would build the library and its dependencies twice in each run.
#[allow(unsafe_code, reason = "trybuild takes the flags of its caller from the environment only")]
fn build_dependencies_once() {
    let flags = ["--cfg", "trybuild", "--verbose", "-A", "dead_code", "--diagnostic-width=140"];
    // SAFETY: the threads of this process read the environment through `std`, which locks it.
    unsafe { std::env::set_var("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")) };
}

/// No case must pass: then trybuild runs `cargo check` in place of `cargo build`, and the library
/// promises its errors in `cargo check`. The programs that must compile are the test `accepted`.
#[test]
fn refused() {
    copy_definitions();
    build_dependencies_once();
    let cases = trybuild::TestCases::new();
    for topic in topics() {
        cases.compile_fail(format!("ui/{topic}/*.rs"));
    }
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

/// Manual impls are refused by a rule of the library. A message about an unknown name means that
/// the case is out of date and no longer tests the rule.
#[test]
fn implementations_by_hand_name_existing_items() {
    const UNKNOWN_NAME: [&str; 5] = ["E0405", "E0412", "E0425", "E0432", "E0433"];
    let by_hand: Vec<_> =
        topics().into_iter().filter(|topic| topic.split('/').next() == Some("by_hand")).collect();
    assert!(!by_hand.is_empty(), "no folder `ui/by_hand`");
    for case in by_hand.iter().flat_map(|topic| cases(topic)) {
        let message = read(&Path::new("ui").join(&case).with_extension("stderr"));
        for code in UNKNOWN_NAME {
            assert!(!message.contains(code), "`{case}` names an item that does not exist:\n{message}");
        }
    }
}

/// Each thing that a message says to write, ``write `X` ``, stands in a program that compiles,
/// where `..` in it is any text: a message that proposes something new needs a program in
/// `ui/accepted/followed_advice.rs`, or another one there.
#[test]
fn advice_is_followed() {
    let programs = names(Path::new("ui/accepted"));
    let accepted: String =
        programs.iter().map(|name| code(&read(&Path::new("ui/accepted").join(name)))).collect();
    let mut missing = BTreeSet::new();
    for case in topics().iter().flat_map(|topic| cases(topic)) {
        let messages = read(&Path::new("ui").join(&case).with_extension("stderr"));
        let advice = messages.split("write `").skip(1).filter_map(|rest| rest.split('`').next());
        missing.extend(advice.filter(|advice| !occurs(advice, &accepted)).map(str::to_owned));
    }
    let known: BTreeSet<String> = WITHOUT_A_PROGRAM.iter().map(|&advice| advice.to_owned()).collect();
    assert_eq!(
        missing, known,
        "the advice that no accepted program follows, and the advice that is known to have none"
    );
}

/// Advice that is a part of no program, or that names things of its own case.
const WITHOUT_A_PROGRAM: [&str; 20] = [
    "#[world(alias = \"OldName\", journal = 65_536)]",
    "Fast(Name)",
    "HasGold",
    "Query<'w, &'static Clock>",
    "Query<'w, Ref<'static, Position>>",
    "entity: Query<(Entity, &A, Option<&B>)>",
    "game.relate(source, Relation(target))",
    "game.run::<system>()",
    "if every_period::<Game>(Duration::from_millis(500))",
    "impl DelayedCommand<Game> for Explodes",
    "include fire::wildfire; include fire::fire; include parts_library::physics;",
    "include parts_library::pool::census::<T>",
    "include parts_library::pool::take_census::<T>",
    "include pool::pool::<Mana>;",
    "mut hits: EventReader<TypesHit>",
    "mut score: ResMut<TypesScore>",
    "resources { name: T = T::default() }",
    "schedule result_misspelled_tick -> Result { .. }",
    "schedule result_with_types_tick -> Result { .. }",
    "system_called",
];

/// The code of a program without comments, white space and trailing commas.
fn code(program: &str) -> String {
    let lines = program.lines().filter(|line| !line.trim_start().starts_with("//"));
    let dense: String = lines.flat_map(str::chars).filter(|sign| !sign.is_whitespace()).collect();
    dense.replace(",)", ")").replace(",}", "}").replace(",>", ">")
}

/// Whether the parts of `form` between its `..` stand in `accepted`, one soon after the other. `T`
/// and `Q` in `<..>` are any type.
fn occurs(form: &str, accepted: &str) -> bool {
    const APART: usize = 200;
    let form = form
        .replace("<T>", "<..>")
        .replace("<Q>", "<..>")
        .replace("&mut T>", "&mut ..>")
        .replace(" &T>", " &..>");
    let parts: Vec<String> = form.split("..").map(code).collect();
    accepted.match_indices(&parts[0]).any(|(at, first)| {
        let mut rest = &accepted[at + first.len()..];
        parts[1..].iter().all(|part| {
            let found = rest.find(part.as_str()).filter(|at| *at <= APART);
            found.inspect(|at| rest = &rest[at + part.len()..]).is_some()
        })
    })
}

/// The folders with refused cases, nested ones included: `topic` and `topic/rule`.
fn topics() -> BTreeSet<String> {
    let mut topics = BTreeSet::new();
    let mut remaining: Vec<String> =
        folders(Path::new("ui")).into_iter().filter(|name| name != "accepted").collect();
    while let Some(folder) = remaining.pop() {
        let nested = folders(&Path::new("ui").join(&folder));
        remaining.extend(nested.iter().map(|name| format!("{folder}/{name}")));
        if !cases(&folder).is_empty() {
            topics.insert(folder);
        }
    }
    topics
}

/// The names of the folders in a folder.
fn folders(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| folder.join(name).is_dir()).collect()
}

/// The refused cases directly in the folder of a topic: `topic/case`.
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
