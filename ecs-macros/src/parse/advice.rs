//! Advice for tokens that the grammar of `world!` and `parts!` does not have: for each place a table of
//! the tokens that are found there, most of them from other languages and libraries.
//!
//! In the advice `{}` stands for the tokens before, `{next}` for those behind the found one, and `{found}` for
//! itself. `".."` is any string, `0` any number, and `_` any other token.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::ParseStream;

use super::options::{next, to_comma};
use crate::names::source;
use crate::words::{has_word, rows};

/// The advice at a place.
pub(super) type Place = &'static [&'static str];

pub(super) const COMPONENT: Place = &[ENTRY];
pub(super) const RESOURCE: Place =
    &["mut  a resource has no `mut`: write `{next}`, and ask for `ResMut<{next}>` in a system", ENTRY];
pub(super) const EVENT: Place = &[ENTRY];
pub(super) const BEHIND_COMPONENT: Place = &[BETWEEN_ENTRIES, OPTION_OF_COMPONENT, FIELDS];
pub(super) const BEHIND_RESOURCE: Place =
    &[BETWEEN_ENTRIES, "?  a resource is always there: write `{}`", FIELDS];
pub(super) const BEHIND_EVENT: Place = &[BETWEEN_ENTRIES, "?  an event has no `?`: write `{}`", FIELDS];

const ENTRY: &str = "
mut ref let const static struct enum type use  an entry is the type alone: write `{next}`
";
const BETWEEN_ENTRIES: &str = "
| + & && ; /  write `,` between the entries
";
const FIELDS: &str = "
{  a type is declared outside of the world, with its derive and its fields: write `{}`
";
const OPTION_OF_COMPONENT: &str = "
?  an entity has a component or not: write `{}`, and ask for `Option<&{}>` in a query
* [  an entity has one value of a component: hold a `Vec` in it
";

/// In place of a section in the braces of the struct.
pub(super) const SECTION: Place = &["
fn impl const type use struct enum mod trait static let  items are written beside `world!`
pub  a section is written without `pub`
"];

/// The name of a section.
pub(super) const UNKNOWN_SECTION: &str = "
systems system schedules update startup  systems are named in a schedule behind the struct,
  `schedule tick { .. }`
tags markers tag relations relation entities bundles aspects  tags and relations are components
states state  a state is a resource, `State<Phase> = State::new(Phase::Menu)`
messages message signals  they are events here
singletons globals uniques clocks  they are resources here
parts includes plugins  parts are included by `include physics;`
";

/// In place of a schedule, behind the struct.
pub(super) const SCHEDULE: &str = "
async  a schedule is not `async`: remove the word
pub crate const static unsafe mut let  a schedule is as visible as its world: remove `{found}`
struct enum mod world  a second world is a `world!` of its own
fn  write `schedule {next} { .. }`
impl use type trait  items are written beside `world!`
schedules  each schedule stands by itself: `schedule tick { .. }`
observers  the block has no name and no arguments: `observers { .. }`
OnEnter  write `schedule tick { movement if entered::<phase::Menu> }`
OnExit  write `schedule tick { movement if exited::<phase::Menu> }`
components resources events  the sections are written in the braces of the struct
include needs  parts are included in the braces of the struct, `struct Game { include physics; ..
  }`, and their schedules in a schedule, `schedule tick { include step }`
react  a `react` block is written in a schedule: `schedule tick { react { .. } max 16; }`
observer observe observes on hooks hook triggers reactions  observers are written in one block:
  `observers { .. }`
system systems stage stages update startup Startup Update FixedUpdate set plugin chain pipeline run tick
  write `schedule` before a name: `schedule tick { .. }`
, ;  remove it
";

/// Behind the name of a schedule.
pub(super) const HEADER: Place = &["
: = => in do with runs  write `schedule {} { movement, friction }`
parallel par concurrent threaded multithreaded  systems between two `;` may run at the same time:
  remove `{found}`
sequential ordered chain chained single serial  systems take effect in the order of the text: remove
  `{found}`
if when while unless run_if  a condition follows the systems: `schedule {} { (movement, friction) if
  playing }`
before after as  the code that calls the schedules gives their order: remove `{found} {next}`
max react  only `react { .. } max 16` and `observers { .. } max 16` have a bound: remove `{found}`
->  `-> Result` stands before `every`
?  write `schedule {} -> Result { .. }`
[ (  systems are written in braces: `schedule {} { .. }`
, ;  each schedule has its own braces: `schedule {} { .. }`
"];

/// In place of a system in a schedule.
pub(super) const STEP: Place = &["
let  the output of a system is given to another by `count | take`
| || move  a schedule has no closures; write a function with `#[system]`, and its name here
if  a condition is written after its system, `movement if playing`
(  systems are written side by side without parentheses, `steer, movement`, unless they have one
  condition, `(steer, movement) if playing`; they take effect in the order of the text, and `;` ends
  a stage
[  systems are written side by side without brackets
for while loop match repeat  a schedule has no loops; `react { .. } max 16;` repeats systems while
  they have news
return break continue  a schedule runs to its end: a condition leaves systems out, `movement if
  playing`
fn async unsafe const struct impl  a system is written beside `world!`, with `#[system(..)]`, and
  has its name here
& * mut pub ref dyn -  the name stands alone: `{next}`
else  the other case is a condition of its own: `a if playing, b if !playing`
as  a name follows its system: `movement as first`
every  a period follows its system: `movement every 60`
, ;  remove one of the two
0  systems are written by their names
"];

/// Behind a system in a schedule.
pub(super) const BEHIND_STEP: Place = &[r#"
as  a place has one name: remove `as {next}`
*  to run it twice, write `{}, {} as second`
:  a name follows its system: `{next} as {}`
=  the output of a system is given to another by `|`: `{next} | {}`
+ / - \ <>  write `,` between systems
& && || and or  systems between two `;` may run at the same time, write `,` between them
-> => > >> then before next ~> .. |>  systems take effect in the order of the text, write `,`
  between them; `;` ends a stage
after  systems take effect in the order of the text, write `{next}, {}`
when where while run_if only provided with  a condition is written after `if`: `{} if {next}`
unless except if_not  a condition is written after `if`: `{} if !{next}`
else  the other case is a condition of its own: `a if playing, b if !playing`
?  a schedule that ends with the first error is written `schedule tick -> Result { .. }`: remove `?`
!  the name of a system stands alone: `{}`
in on par parallel async once always exclusive chain last first  remove `{found}`
max  only `react { .. } max 16` has a bound: remove `max {next}`
every  `every` is written before `if`
0 ".."  an input is written in parentheses: `{}({found})`
[  an input is written in parentheses, a type after `::<`
{  only `react { .. } max 16` has braces; systems between two `;` may run at the same time, without
  a word for it
(  the name of a schedule stands alone
"#];

/// Behind the path of an `include`.
pub(super) const BEHIND_INCLUDE: Place = &["
,  each is included by itself: `include {}; include {next};`
+ & |  each is included by itself: `include {}; include {next};`
as  the name stands before the braces: `include {} as {next} { .. };`
(  changes are written in braces: `include {} { .. };`
!  the name stands alone: `include {};`
with where using  changes are written in braces: `include {} { .. };`
"];

/// In the braces behind an included schedule.
pub(super) const INSERTION: Place = &["
if every  a condition follows the name: `include step {found} {next}`
as max react  remove it
"];

/// Behind the braces of parts.
pub(super) const BEHIND_PARTS: Place = &["
schedule observers  the schedules of parts are written in their braces
components resources events include needs  the sections are written in the braces
, ;  remove it
_  other parts are a `parts!` of their own
"];

/// The advice for the next token at a place, behind the tokens `before`; empty if there is none.
pub(super) fn advice(at: Place, input: ParseStream<'_>, before: &str) -> String {
    let (found, kind) = (sign(input), kind(input));
    let is_found = |words: &str| {
        has_word(words, &found) || kind.is_some_and(|kind| has_word(words, kind)) || words == "_"
    };
    let Some((_, cure)) = at.iter().flat_map(|table| rows(table)).find(|(words, _)| is_found(words)) else {
        return String::new();
    };
    cure.replace("{}", before).replace("{found}", &found).replace("{next}", &behind(input))
}

/// The advice with a colon before it.
pub(super) fn with_advice(at: Place, input: ParseStream<'_>, before: &str) -> String {
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
