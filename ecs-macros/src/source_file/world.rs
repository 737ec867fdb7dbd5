//! The texts of the `world!`s in a file: which types they list, and under which conditions.

use syn::UseTree;

use super::*;

/// The line in which the file of `world!` takes the trait `World` for a type, if it does so at each
/// use and has one world.
pub(crate) fn trait_as_type(world: &proc_macro2::Ident) -> Option<usize> {
    let (source, _) = file_of(world.span())?;
    let line = trait_as_type_in(&source.text)?;
    (!may_declare("World", world.span())).then_some(line)
}

fn trait_as_type_in(source: &str) -> Option<usize> {
    let mut first = None;
    for (at, word) in source.match_indices("World") {
        let (before, behind) = (&source[..at], &source[at + word.len()..]);
        let is_comment = before.rsplit('\n').next().is_some_and(|line| line.contains("//"));
        if is_comment || before.ends_with(is_of_a_word) || behind.starts_with(is_of_a_word) {
            continue;
        }
        let before = before.trim_end();
        // a parameter or a field, whose name is in lower case; a bound has the name of a type
        let is_field = before.strip_suffix(':').is_some_and(|name| {
            name.rsplit(|sign| !is_of_a_word(sign))
                .next()
                .is_some_and(|name| name.starts_with(char::is_lowercase))
        });
        let is_value = ["::new(", "::default("].iter().any(|call| behind.starts_with(call));
        if !is_value && !is_field && !["&mut", "&", "->"].iter().any(|sign| before.ends_with(sign)) {
            return None;
        }
        first.get_or_insert(at);
    }
    let line = source[..first?].matches('\n').count() + 1;
    (source.matches("world!").count() == 1).then_some(line)
}

/// Whether the module of a `world!` imports something by the world's name.
pub(crate) fn is_imported_beside(world: &proc_macro2::Ident) -> bool {
    fn has(tree: &UseTree, name: &str) -> bool {
        match tree {
            UseTree::Path(path) => has(&path.tree, name),
            UseTree::Name(last) => last.ident == name,
            UseTree::Rename(last) => last.rename == name,
            UseTree::Group(group) => group.items.iter().any(|tree| has(tree, name)),
            UseTree::Glob(_) => false,
        }
    }
    let (name, Some((source, _))) = (text(world), file_of(world.span())) else { return false };
    let is_imported = |item: &&Item| match item {
        Item::Use(import) => import.attrs.is_empty() && has(&import.tree, &name),
        _ => false,
    };
    if !source.imports(&name) {
        return false;
    }
    let Ok(file) = syn::parse_file(&source.text) else { return false };
    lists(&file).iter().any(|list| list.declares(&name) && list.items.iter().any(is_imported))
}

/// The noun for a component, resource or event that its file declares, and that `world`, which is
/// in the same file, does not list.
pub(crate) fn unlisted(name: &proc_macro2::Ident, world: &str) -> Option<&'static str> {
    let Some(declared) = Declaration::of(name) else {
        let (source, _) = file_of(name.span()).filter(|_| name == "ChildOf")?;
        let is_own = declared_in(&source.text, "ChildOf") != Declared::Nowhere;
        return (!is_own && !may_list(&source, world, "ChildOf")).then_some("component");
    };
    let noun = declared.noun().filter(|noun| LISTED.contains(noun))?;
    let is_required = || {
        let lists = declared.source.text.split("requires(").skip(1).filter_map(|list| list.split(')').next());
        lists.flat_map(words).any(|word| word == declared.name)
    };
    let is_unlisted =
        !may_list(&declared.source, world, &declared.name) && declared.is_certain() && !is_required();
    (is_unlisted && !is_misspelt_in(&declared.source, world, &declared.name)).then_some(noun)
}

/// Whether the world called `world` lists a name like `name` that nothing has, which the compiler
/// reports.
fn is_misspelt_in(source: &SourceText, world: &str, name: &str) -> bool {
    let worlds = source.worlds.get_or_init(|| worlds_in(&source.text));
    let Some(Some(listed)) = worlds.get(world) else { return false };
    listed.iter().any(|word| {
        word.starts_with(char::is_uppercase)
            && crate::names::nearest(word, &[name]).is_some()
            && declared_in(&source.text, word) == Declared::Nowhere
    })
}

/// The text of each `world!`, which ends where a line begins with its brace.
pub(super) fn world_texts(source: &str) -> impl Iterator<Item = &str> {
    source.split("world!").skip(1).filter_map(|rest| rest.split("\n}").next())
}

/// Whether the world called `world` may list the type `name`. It does not if the file has the text
/// of the world, which includes nothing, and names the type there neither by its name nor by an
/// alias.
fn may_list(source: &SourceText, world: &str, name: &str) -> bool {
    // most systems need no more than this
    if source.lists(name) {
        return true;
    }
    let worlds = source.worlds.get_or_init(|| worlds_in(&source.text));
    let Some(Some(listed)) = worlds.get(world) else { return true };
    let alias = |line: &str| {
        let (is_alias, is_meant) = (line.contains("type "), words(line).any(|word| word == name));
        is_alias && is_meant
    };
    listed.contains(name) || source.text.lines().any(alias)
}

/// `P` if the world called `world` lists the type `name` once, under `#[cfg(P)]`.
pub(crate) fn condition_of(name: &proc_macro2::Ident, world: &str) -> Option<TokenStream> {
    let (source, _) = file_of(name.span())?;
    source.has_conditions.then(|| condition_in(&source.text, &text(name), world)).flatten()
}

fn condition_in(source: &str, name: &str, world: &str) -> Option<TokenStream> {
    let text = world_texts(source).find(|text| places(text, "struct", world).next().is_some())?;
    let is_once = words(text).filter(|word| *word == name).count() == 1;
    let before = text[..text.find(name).filter(|_| is_once && !text.contains("include"))?].trim_end();
    let before = before.strip_suffix(':').map_or(before, |field| field.trim_end_matches(is_of_a_word));
    let (_, condition) = before.trim_end().strip_suffix(")]")?.rsplit_once("#[cfg(")?;
    condition.parse().ok()
}

fn worlds_in(source: &str) -> HashMap<String, Option<HashSet<String>>> {
    let mut found = HashMap::new();
    if let Ok(tokens) = source.parse() {
        worlds_among(tokens, &mut found);
    }
    found
}

fn worlds_among(tokens: TokenStream, found: &mut HashMap<String, Option<HashSet<String>>>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let before = trees[..at].iter().rev().take(2).map(ToString::to_string);
        if !before.eq(["!", "world"]) {
            worlds_among(group.stream(), found);
            continue;
        }
        let words = words_in(group.stream());
        let name = words.iter().skip_while(|word| *word != "struct").nth(1).cloned().unwrap_or_default();
        let includes = words.iter().any(|word| word == "include");
        let is_second = found.contains_key(&name);
        found.insert(name, (!includes && !is_second).then(|| words.into_iter().collect()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_of_a_listed_type_is_found() {
        let source = "world! {\n    struct Game { components { A, #[cfg(any())] b: B, #[cfg(all())] C, D, D } }\n}\nfn f() {}";
        let of =
            |name| condition_in(source, name, "Game").map(|condition| condition.to_string().replace(' ', ""));
        assert_eq!(of("B").as_deref(), Some("any()"));
        assert_eq!(of("C").as_deref(), Some("all()"));
        assert_eq!((of("A"), of("D"), of("E")), (None, None, None));
    }
}
