//! Advice for tokens that the grammar of `world!` and `parts!` does not have: one row for the
//! tokens that are found at one place, most of them from other languages and libraries.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::ParseStream;

use super::options::{next, to_comma};
use crate::names::source;

/// The place of the unexpected token.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum At {
    /// In place of a component.
    Component,
    /// In place of a resource.
    Resource,
    /// In place of an event.
    Event,
    /// Behind a component.
    BehindComponent,
    /// Behind a resource.
    BehindResource,
    /// Behind an event.
    BehindEvent,
    /// In place of a section in the braces of the struct.
    Section,
    /// The name of a section.
    UnknownSection,
    /// In place of a schedule, behind the struct.
    Schedule,
    /// Behind the name of a schedule.
    Header,
    /// In place of a system in a schedule.
    Step,
    /// Behind a system in a schedule.
    BehindStep,
    /// Behind the path of an `include`.
    BehindInclude,
    /// In the braces behind an included schedule.
    Insertion,
    /// Behind the braces of parts.
    BehindParts,
}

use At::*;

/// The places of the entries.
const ENTRY: &[At] = &[Component, Resource, Event];
/// The places behind the entries.
const BEHIND_ENTRY: &[At] = &[BehindComponent, BehindResource, BehindEvent];

/// A row: the places, the tokens that are found there, and the advice, in which `{}` stands for the
/// tokens before, `{next}` for those behind the found one, and `{found}` for itself. `".."` is any
/// string, `0` any number, and the empty text any other token.
type Row = (&'static [At], &'static [&'static str], &'static str);

const ROWS: &[Row] = &[
    // entries
    (
        &[Resource],
        &["mut"],
        "a resource has no `mut`: write `{next}`, and ask for `ResMut<{next}>` in a system",
    ),
    (
        ENTRY,
        &["mut", "ref", "let", "const", "static", "struct", "enum", "type", "use"],
        "an entry is the type alone: write `{next}`",
    ),
    (
        &[BehindComponent],
        &["?"],
        "an entity has a component or not: write `{}`, and ask for `Option<&{}>` in a query",
    ),
    (&[BehindResource], &["?"], "a resource is always there: write `{}`"),
    (&[BehindEvent], &["?"], "an event has no `?`: write `{}`"),
    (BEHIND_ENTRY, &["|", "+", "&", "&&", ";", "/"], "write `,` between the entries"),
    (&[BehindComponent], &["*", "["], "an entity has one value of a component: hold a `Vec` in it"),
    // sections
    (
        &[Section],
        &["fn", "impl", "const", "type", "use", "struct", "enum", "mod", "trait", "static", "let"],
        "items are written beside `world!`",
    ),
    (&[Section], &["pub"], "a section is written without `pub`"),
    (
        &[UnknownSection],
        &["systems", "system", "schedules", "update", "startup"],
        "systems are named in a schedule behind the struct, `schedule tick { .. }`; ",
    ),
    (
        &[UnknownSection],
        &["tags", "markers", "tag", "relations", "relation", "entities", "bundles", "aspects"],
        "tags and relations are components; ",
    ),
    (
        &[UnknownSection],
        &["states", "state"],
        "a state is a resource, `State<Phase> = State::new(Phase::Menu)`; ",
    ),
    (&[UnknownSection], &["messages", "message", "signals"], "they are events here; "),
    (&[UnknownSection], &["singletons", "globals", "uniques", "clocks"], "they are resources here; "),
    (&[UnknownSection], &["parts", "includes", "plugins"], "parts are included by `include physics;`; "),
    // behind the struct
    (&[Schedule], &["async"], "a schedule is not `async`: remove the word"),
    (
        &[Schedule],
        &["pub", "crate", "const", "static", "unsafe", "mut", "let"],
        "a schedule is as visible as its world: remove `{found}`",
    ),
    (&[Schedule], &["struct", "enum", "mod", "world"], "a second world is a `world!` of its own"),
    (&[Schedule], &["fn"], "write `schedule {next} { .. }`"),
    (&[Schedule], &["impl", "use", "type", "trait"], "items are written beside `world!`"),
    (&[Schedule], &["schedules"], "each schedule stands by itself: `schedule tick { .. }`"),
    (&[Schedule], &["observers"], "the block has no name and no arguments: `observers { .. }`"),
    (&[Schedule], &["OnEnter"], "write `schedule tick { movement if entered::<phase::Menu> }`"),
    (&[Schedule], &["OnExit"], "write `schedule tick { movement if exited::<phase::Menu> }`"),
    (
        &[Schedule],
        &["components", "resources", "events"],
        "the sections are written in the braces of the struct",
    ),
    (
        &[Schedule],
        &["include", "needs"],
        "parts are included in the braces of the struct, `struct Game { include physics; .. }`, and their \
        schedules in a schedule, `schedule tick { include step }`",
    ),
    (
        &[Schedule],
        &["react"],
        "a `react` block is written in a schedule: `schedule tick { react { .. } max 16; }`",
    ),
    (
        &[Schedule],
        &["observer", "observe", "observes", "on", "hooks", "hook", "triggers", "reactions"],
        "observers are written in one block: `observers { .. }`",
    ),
    (
        &[Schedule],
        &[
            "system",
            "systems",
            "stage",
            "stages",
            "update",
            "startup",
            "Startup",
            "Update",
            "FixedUpdate",
            "set",
            "plugin",
            "chain",
            "pipeline",
            "run",
            "tick",
        ],
        "write `schedule` before a name: `schedule tick { .. }`",
    ),
    (&[Schedule], &[",", ";"], "remove it"),
    // the header of a schedule
    (&[Header], &[":", "=", "=>", "in", "do", "with", "runs"], "write `schedule {} { movement, friction }`"),
    (
        &[Header],
        &["parallel", "par", "concurrent", "threaded", "multithreaded"],
        "systems between two `;` may run at the same time: remove `{found}`",
    ),
    (
        &[Header],
        &["sequential", "ordered", "chain", "chained", "single", "serial"],
        "systems take effect in the order of the text: remove `{found}`",
    ),
    (
        &[Header],
        &["if", "when", "while", "unless", "run_if"],
        "a condition follows the systems: `schedule {} { (movement, friction) if playing }`",
    ),
    (
        &[Header],
        &["before", "after", "as"],
        "the code that calls the schedules gives their order: remove `{found} {next}`",
    ),
    (
        &[Header],
        &["max", "react"],
        "only `react { .. } max 16` and `observers { .. } max 16` have a bound: remove `{found}`",
    ),
    (&[Header], &["->"], "`-> Result` stands before `every`"),
    (&[Header], &["?"], "write `schedule {} -> Result { .. }`"),
    (&[Header], &["[", "("], "systems are written in braces: `schedule {} { .. }`"),
    (&[Header], &[",", ";"], "each schedule has its own braces: `schedule {} { .. }`"),
    // steps
    (&[Step], &["let"], "the output of a system is given to another by `count | take`"),
    (
        &[Step],
        &["|", "||", "move"],
        "a schedule has no closures; write a function with `#[system]`, and its name here",
    ),
    (&[Step], &["if"], "a condition is written after its system, `movement if playing`"),
    (
        &[Step],
        &["("],
        "systems are written side by side without parentheses, `steer, movement`, unless they have one condition, \
        `(steer, movement) if playing`; they take effect in the order of the text, and `;` ends a stage",
    ),
    (&[Step], &["["], "systems are written side by side without brackets"),
    (
        &[Step],
        &["for", "while", "loop", "match", "repeat"],
        "a schedule has no loops; `react { .. } max 16;` repeats systems while they have news",
    ),
    (
        &[Step],
        &["return", "break", "continue"],
        "a schedule runs to its end: a condition leaves systems out, `movement if playing`",
    ),
    (
        &[Step],
        &["fn", "async", "unsafe", "const", "struct", "impl"],
        "a system is written beside `world!`, with `#[system(..)]`, and has its name here",
    ),
    (&[Step], &["&", "*", "mut", "pub", "ref", "dyn", "-"], "the name stands alone: `{next}`"),
    (&[Step], &["else"], "the other case is a condition of its own: `a if playing, b if !playing`"),
    (&[Step], &["as"], "a name follows its system: `movement as first`"),
    (&[Step], &["every"], "a period follows its system: `movement every 60`"),
    (&[Step], &[",", ";"], "remove one of the two"),
    (&[Step], &["0"], "systems are written by their names"),
    // behind a step
    (&[BehindStep], &["as"], "a place has one name: remove `as {next}`"),
    (&[BehindStep], &["*"], "to run it twice, write `{}, {} as second`"),
    (&[BehindStep], &[":"], "a name follows its system: `{next} as {}`"),
    (&[BehindStep], &["="], "the output of a system is given to another by `|`: `{next} | {}`"),
    (&[BehindStep], &["+", "/", "-", "\\", "<>"], "write `,` between systems"),
    (
        &[BehindStep],
        &["&", "&&", "||", "and", "or"],
        "systems between two `;` may run at the same time, write `,` between them",
    ),
    (
        &[BehindStep],
        &["->", "=>", ">", ">>", "then", "before", "next", "~>", "..", "|>"],
        "systems take effect in the order of the text, write `,` between them; `;` ends a stage",
    ),
    (&[BehindStep], &["after"], "systems take effect in the order of the text, write `{next}, {}`"),
    (
        &[BehindStep],
        &["when", "where", "while", "run_if", "only", "provided", "with"],
        "a condition is written after `if`: `{} if {next}`",
    ),
    (&[BehindStep], &["unless", "except", "if_not"], "a condition is written after `if`: `{} if !{next}`"),
    (&[BehindStep], &["else"], "the other case is a condition of its own: `a if playing, b if !playing`"),
    (
        &[BehindStep],
        &["?"],
        "a schedule that ends with the first error is written `schedule tick -> Result { .. }`: remove `?`",
    ),
    (&[BehindStep], &["!"], "the name of a system stands alone: `{}`"),
    (
        &[BehindStep],
        &["in", "on", "par", "parallel", "async", "once", "always", "exclusive", "chain", "last", "first"],
        "remove `{found}`",
    ),
    (&[BehindStep], &["max"], "only `react { .. } max 16` has a bound: remove `max {next}`"),
    (&[BehindStep], &["every"], "`every` is written before `if`"),
    (&[BehindStep], &["0", "\"..\""], "an input is written in parentheses: `{}({found})`"),
    (&[BehindStep], &["["], "an input is written in parentheses, a type after `::<`"),
    (
        &[BehindStep],
        &["{"],
        "only `react { .. } max 16` has braces; systems between two `;` may run at the same time, without a word for it",
    ),
    (&[BehindStep], &["("], "the name of a schedule stands alone"),
    // include
    (&[BehindInclude], &[","], "each is included by itself: `include {}; include {next};`"),
    (&[BehindInclude], &["+", "&", "|"], "each is included by itself: `include {}; include {next};`"),
    (&[BehindInclude], &["as"], "the name stands before the braces: `include {} as {next} { .. };`"),
    (&[BehindInclude], &["("], "changes are written in braces: `include {} { .. };`"),
    (&[BehindInclude], &["!"], "the name stands alone: `include {};`"),
    (&[BehindInclude], &["with", "where", "using"], "changes are written in braces: `include {} { .. };`"),
    (&[Insertion], &["if", "every"], "a condition follows the name: `include step {found} {next}`"),
    (&[Insertion], &["as", "max", "react"], "remove it"),
    (&[BehindParts], &["schedule", "observers"], "the schedules of parts are written in their braces"),
    (
        &[BehindParts],
        &["components", "resources", "events", "include", "needs"],
        "the sections are written in the braces",
    ),
    (&[BehindParts], &[",", ";"], "remove it"),
    (&[BehindParts], &[""], "other parts are a `parts!` of their own"),
];

/// The advice for the next token at a place, behind the tokens `before`; empty if there is none.
pub(super) fn advice(at: At, input: ParseStream<'_>, before: &str) -> String {
    let (found, kind) = (sign(input), kind(input));
    let is_found =
        |words: &&[&str]| words.iter().any(|word| *word == found || Some(*word) == kind || word.is_empty());
    let Some((_, _, cure)) = ROWS.iter().find(|(places, words, _)| places.contains(&at) && is_found(words))
    else {
        return String::new();
    };
    cure.replace("{}", before).replace("{found}", &found).replace("{next}", &behind(input))
}

/// The advice for a word.
pub(super) fn of_word(at: At, word: &str) -> String {
    let row = ROWS.iter().find(|(places, words, _)| places.contains(&at) && words.contains(&word));
    row.map_or_else(String::new, |(_, _, cure)| (*cure).to_owned())
}

/// The advice with a colon before it.
pub(super) fn with_advice(at: At, input: ParseStream<'_>, before: &str) -> String {
    match advice(at, input, before) {
        cure if cure.is_empty() => cure,
        cure => format!(": {cure}"),
    }
}

/// The next token, or the sign that begins there.
pub(super) fn sign(input: ParseStream<'_>) -> String {
    let ahead = input.fork();
    let mut sign = next(input);
    while let Ok(TokenTree::Punct(punct)) = ahead.parse() {
        let joined = matches!(punct.spacing(), proc_macro2::Spacing::Joint) && sign.len() < 3;
        match ahead.fork().parse() {
            Ok(TokenTree::Punct(punct)) if joined && !",;".contains(punct.as_char()) => {
                sign.push(punct.as_char())
            }
            _ => break,
        }
    }
    sign
}

/// The row for all literals of one kind.
fn kind(input: ParseStream<'_>) -> Option<&'static str> {
    let Ok(TokenTree::Literal(literal)) = input.fork().parse() else { return None };
    let text = literal.to_string();
    Some(if text.starts_with(|first: char| first.is_ascii_digit()) { "0" } else { "\"..\"" })
}

/// The path or the other token behind the sign that comes next, for a message.
fn behind(input: ParseStream<'_>) -> String {
    let (ahead, sign) = (input.fork(), sign(input));
    let is_sign = ahead.fork().parse::<TokenTree>().is_ok_and(|tree| matches!(tree, TokenTree::Punct(_)));
    for _ in 0..(if is_sign { sign.len() } else { 1 }) {
        ahead.parse::<TokenTree>().ok();
    }
    let rest = to_comma(&ahead);
    let (mut name, mut was_word) = (TokenStream::new(), false);
    for tree in rest {
        let is_word = matches!(tree, TokenTree::Ident(_));
        match &tree {
            TokenTree::Ident(_) if was_word => break,
            TokenTree::Punct(punct) if matches!(punct.as_char(), ':' | '<' | '>') => {}
            TokenTree::Punct(_) | TokenTree::Group(_) if !name.is_empty() => break,
            TokenTree::Ident(word) if ["if", "as", "every", "max"].iter().any(|end| word == end) => break,
            _ => {}
        }
        was_word = is_word;
        name.extend([tree]);
    }
    source(&name)
}
