//! Parts and their schedules in the text of a file: those that a name behind `include` leads to, and
//! those that a system stands beside.

use super::*;
use crate::parse::world::SECTIONS;

/// Whether `name` may be a module, by the text of its file: if the file does not declare parts of
/// this name, or declares such a module.
pub(crate) fn is_module(name: &proc_macro2::Ident) -> bool {
    let Some((source, _)) = file_of(name.span()) else { return true };
    let name = text(name);
    let begins = |rest: &str| {
        words(rest).take_while(|word| *word != "components" && *word != "schedule").any(|word| word == name)
    };
    let is_declared = source.text.split("parts!").skip(1).any(begins);
    !is_declared || source.text.contains(&format!("mod {name}"))
}

/// The name by which the file of `span` includes parts, and which it mentions nowhere else.
pub(crate) fn only_undeclared_parts(span: Span) -> Option<String> {
    let (source, _) = file_of(span)?;
    let words: Vec<&str> = words(&source.text).collect();
    let included = |name: &str| words.windows(2).filter(|two| two[0] == "include" && two[1] == name).count();
    let is_undeclared = |name: &&str| {
        source.text.contains(&format!("include {name};"))
            && words.iter().filter(|word| *word == name).count() == included(name)
    };
    let names = words.windows(2).filter(|two| two[0] == "include").map(|two| two[1]).filter(is_undeclared);
    let names: HashSet<&str> = names.collect();
    <[_; 1]>::try_from(Vec::from_iter(names)).ok().map(|[name]| name.to_owned())
}

/// A name behind `include` that leads to nothing.
#[derive(Debug, PartialEq)]
pub(crate) struct Unknown {
    /// The mistake and its cure, as the rest of a sentence that begins with the name.
    pub(crate) cure: String,
    /// The name that was meant.
    pub(crate) meant: Option<String>,
}

/// The mistake in the parts `name`, which are included as `path`: the file neither declares nor
/// imports them, or they are private to a module of the file.
pub(crate) fn unknown_parts(name: &proc_macro2::Ident, path: &str) -> Option<Unknown> {
    let (source, _) = file_of(name.span())?;
    unknown_parts_in(&source.text, &text(name), path)
}

fn unknown_parts_in(source: &str, name: &str, path: &str) -> Option<Unknown> {
    if let Some(parts) = parts_of_module(source, name).filter(|_| path == name) {
        let cure = format!("are a module: write `include {name}::{parts};`");
        return Some(Unknown { cure, meant: Some(format!("{name}::{parts}")) });
    }
    if source.contains("macro_use") || declared_in(source, name) != Declared::Nowhere {
        return None;
    }
    let lists = lists_of_parts(source);
    let names: Vec<&str> = lists.iter().filter_map(|list| list.last()).copied().collect();
    if let Some(module) = module_of(path, name) {
        let mut own = lists.iter().filter(|list| list.last() == Some(&name)).peekable();
        let is_private = own.peek().is_some() && own.all(|list| list.len() == 1);
        if is_private && source.contains(&format!("mod {module} {{")) {
            let cure = format!("are private: write `pub {name} {{ .. }}` in their `parts!`");
            return Some(Unknown { cure, meant: None });
        }
        let is_nameless = names.len() < lists.len();
        return (!is_nameless).then(|| misspelt(source, module, name, || names, "do not exist")).flatten();
    }
    // the own error of parts without a name takes the name from here
    let is_nameless = |name: &&str| SECTIONS.contains(name);
    if is_mentioned(source, name) || names.len() < lists.len() || names.iter().any(is_nameless) {
        return None;
    }
    let meant = crate::names::nearest(name, &names).map(str::to_owned);
    let cure = match &meant {
        Some(other) => format!("do not exist: write `include {other};`"),
        None => format!(
            "are neither declared nor imported in this file: write `parts! {{ {name} {{ .. }} }}`, or the path of those of a library"
        ),
    };
    Some(Unknown { cure, meant })
}

/// The parts in a module of the file that has no world, if the file imports nothing of it.
fn parts_of_module<'s>(source: &'s str, module: &str) -> Option<&'s str> {
    let (_, behind) = source.split_once(&format!("mod {module} {{"))?;
    let own = behind.split("\n}").next()?;
    let is_imported = ["use ", "pub use "].iter().any(|word| source.contains(&format!("{word}{module}::")));
    let [head] = &lists_of_parts(own)[..] else { return None };
    head.last().copied().filter(|_| !is_imported && !own.contains("world!"))
}

/// The mistake in the name of a schedule of parts, which is included as `path`: the file neither
/// declares nor imports it, or it is private to a module of the file.
pub(crate) fn unknown_schedule(name: &proc_macro2::Ident, path: &str) -> Option<Unknown> {
    let (source, _) = file_of(name.span())?;
    unknown_schedule_in(&source.text, &text(name), path)
}

fn unknown_schedule_in(source: &str, name: &str, path: &str) -> Option<Unknown> {
    if let Some(module) = module_of(path, name) {
        let parts = source.split("parts!").skip(1).zip(lists_of_parts(source));
        let is_own = |rest: &str| {
            let words: Vec<&str> = words(rest).collect();
            words.windows(2).any(|two| two == ["schedule", name])
        };
        let own: Vec<Vec<&str>> = parts.filter(|(rest, _)| is_own(rest)).map(|(_, head)| head).collect();
        let is_public = source.contains(&format!("pub schedule {name}"));
        if let [head] = own.as_slice()
            && let [parts] = head[..]
            && !SECTIONS.contains(&parts)
            && !is_public
            && source.contains(&format!("mod {module} {{"))
        {
            let cure = format!("is private: write `pub {parts} {{ .. }}` in its `parts!`");
            return Some(Unknown { cure, meant: None });
        }
        return misspelt(source, module, name, || schedules_of_parts(source), "does not exist");
    }
    let is_declared = || declared_in(source, name) != Declared::Nowhere;
    if source.contains("macro_use") || is_mentioned(source, name) || is_declared() {
        return None;
    }
    let schedules = schedules_of_parts(source);
    let meant = crate::names::nearest(name, &schedules).map(str::to_owned);
    let cure = match &meant {
        Some(other) => format!("does not exist: write `include {other}`"),
        None => format!(
            "is neither declared nor imported in this file: write `schedule {name} {{ .. }}` in `parts!`, or the path of one of a library"
        ),
    };
    Some(Unknown { cure, meant })
}

/// The module in a path of two names: `physics` of `physics::step`.
fn module_of<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    path.strip_suffix(name)?.strip_suffix("::")
}

/// The schedules of the parts of a file: the text of each list ends at the next world.
fn schedules_of_parts(source: &str) -> Vec<&str> {
    let parts = source.split("parts!").skip(1).filter_map(|rest| rest.split("world!").next());
    let words: Vec<&str> = parts.flat_map(words).collect();
    words.windows(2).filter(|two| two[0].starts_with("schedule")).map(|two| two[1]).collect()
}

/// The schedules of parts in the file, if it has the module.
pub(crate) fn schedules_in_module(module: &proc_macro2::Ident) -> Vec<String> {
    let Some((source, _)) = file_of(module.span()) else { return Vec::new() };
    if !source.text.contains(&format!("mod {} {{", text(module))) {
        return Vec::new();
    }
    schedules_of_parts(&source.text).into_iter().map(str::to_owned).collect()
}

/// The mistake in `module::name`: no module of the file and no crate has the name `module`, or a
/// module of the file has no `name`, but perhaps one of `others`.
///
/// It is asked for right paths, too, so that substrings are compared before words.
fn misspelt<'s>(
    source: &'s str,
    module: &str,
    name: &str,
    others: impl FnOnce() -> Vec<&'s str>,
    is_missing: &str,
) -> Option<Unknown> {
    let count = |text: &str| source.matches(text).count();
    let is_inline = count(&format!("mod {module} {{")) > 0;
    if is_inline {
        // it is there, if one of these is found
        if places(source, "schedule", name).count() + count(&format!(" {name} {{")) > 0 {
            return None;
        }
    } else {
        let doubled = count(&format!("include {module}::{module}"));
        if count(module) != count(&format!("include {module}::")) + doubled {
            return None;
        }
    }
    let all: Vec<&str> = words(source).collect();
    let mentions = all.iter().filter(|word| **word == name).count();
    if imports_all_of_another(source) || is_inline && mentions != count(&format!("{module}::{name}")) {
        return None;
    }
    if is_inline {
        let meant = crate::names::nearest(name, &others()).map(str::to_owned);
        let cure = match &meant {
            Some(meant) => format!("{is_missing}: write `include {module}::{meant}`"),
            None => format!("{is_missing}: `parts!` in the module `{module}` declares them"),
        };
        return Some(Unknown { cure, meant });
    }
    let is_single = module.chars().all(is_of_a_word) && !["crate", "self", "super"].contains(&module);
    if !is_single || crate::manifest::may_depend_on(module) {
        return None;
    }
    let modules: Vec<&str> = all.windows(2).filter(|two| two[0] == "mod").map(|two| two[1]).collect();
    let meant = crate::names::nearest(module, &modules).map(|other| format!("{other}::{name}"));
    let cure = match &meant {
        Some(path) => format!("{is_missing}, since there is no module `{module}`: write `include {path}`"),
        None => format!(
            "{is_missing}, since `{module}` is no module of this file and no crate in `Cargo.toml`: add the crate, or a module with \
             `parts! {{ pub {name} {{ .. }} }}`"
        ),
    };
    Some(Unknown { cure, meant })
}

/// Whether the file imports all names of something that is not this library.
fn imports_all_of_another(source: &str) -> bool {
    source
        .split("use ")
        .skip(1)
        .filter_map(|rest| rest.split(';').next())
        .any(|import| import.contains('*') && !is_the_library(words(import).next().unwrap_or_default()))
}

/// The words before the entries of each list of parts: the last one is the name.
fn lists_of_parts(source: &str) -> Vec<Vec<&str>> {
    let head = |rest| {
        let inner = str::trim_start(rest).trim_start_matches(['{', '(']);
        words(inner.split(['{', '<', ';', ',']).next().unwrap_or_default()).collect()
    };
    source.split("parts!").skip(1).map(head).collect()
}

/// Whether the function `system` stands in a module with `parts!` that does not know `world`.
pub(crate) fn is_beside_parts(system: &str, world: &proc_macro2::Ident) -> bool {
    let Some((source, line)) = file_of(world.span()) else { return false };
    let is_indented = source.text[line..].starts_with(char::is_whitespace);
    is_indented && source.has_parts && is_beside_parts_in(&source.text, system, &text(world))
}

fn is_beside_parts_in(source: &str, system: &str, world: &str) -> bool {
    let may_know = |item: &&Item| match item {
        Item::Macro(item) => !is_last(&item.mac.path, "parts"),
        Item::Use(import) => {
            let words = words_in(import.tree.to_token_stream());
            let is_library = words.first().is_some_and(|first| is_the_library(first));
            words.iter().any(|word| word == world || word == "*" && !is_library)
        }
        Item::Struct(item) => item.ident == world,
        Item::Type(item) => item.ident == world,
        _ => false,
    };
    let Ok(file) = syn::parse_file(source) else { return false };
    let has = |list: &List<'_>| list.is_module && list.functions.iter().any(|(name, _)| name == system);
    lists(&file).into_iter().find(has).is_some_and(|list| {
        let has_parts = list.macros.iter().any(|call| is_last(&call.path, "parts"));
        has_parts && !list.items.iter().any(may_know)
    })
}

/// Whether the file has parts of this name.
pub(crate) fn are_parts(name: &proc_macro2::Ident) -> bool {
    let Some((source, _)) = file_of(name.span()) else { return false };
    let name = text(name);
    source.has_parts && lists_of_parts(&source.text).iter().any(|list| list.last() == Some(&&*name))
}

/// Whether the file has `name` in other places than behind `include`.
fn is_mentioned(source: &str, name: &str) -> bool {
    let all: Vec<&str> = words(source).collect();
    let included = all.windows(2).filter(|two| two[0] == "include" && two[1] == name).count();
    included == 0 || all.iter().filter(|word| **word == name).count() > included
}
