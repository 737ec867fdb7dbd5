//! Functions that are no systems: without `#[system]` beside a `world!`, and methods with it.

use super::*;

/// Functions that a schedule may name by mistake.
#[derive(Default, Debug, PartialEq)]
pub(crate) struct NoSystems {
    /// The functions beside the `world!` that have no attribute that could make them systems.
    pub(crate) unmarked: HashSet<String>,
    /// The methods with `#[system]`, which report their mistake themselves.
    pub(crate) methods: HashSet<String>,
}

/// The functions in the file of `world!` that are no systems, if `names` may be among them.
pub(crate) fn no_systems(world: &proc_macro2::Ident, names: &HashSet<String>) -> NoSystems {
    let Some((source, _)) = file_of(world.span()) else { return NoSystems::default() };
    no_systems_in(&source.text, &text(world), names)
}

fn no_systems_in(source: &str, world: &str, names: &HashSet<String>) -> NoSystems {
    if !may_lack_the_attribute(source, names) {
        return NoSystems::default();
    }
    let Ok(file) = syn::parse_file(source) else { return NoSystems::default() };
    let lists = lists(&file);
    let beside: Vec<&List<'_>> = lists.iter().filter(|list| list.declares(world)).collect();
    // several worlds of the same name: it is not known which one this is
    let unmarked = match beside[..] {
        [list] => list.unmarked(),
        _ => HashSet::new(),
    };
    NoSystems { unmarked, methods: systems(&lists, true) }
}

/// Whether `source` may have one of the functions without `#[system]`, or in an `impl`: a search
/// that may err.
fn may_lack_the_attribute(source: &str, names: &HashSet<String>) -> bool {
    source.match_indices("fn ").any(|(at, _)| {
        let rest = source[at + 3..].trim_start().trim_start_matches("r#");
        let end = rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(rest.len());
        if !names.contains(&rest[..end]) {
            return false;
        }
        let before = source[..at].trim_end().rsplit([';', '}']).next().unwrap_or_default();
        let visibility = before.rfind("pub").filter(|&start| {
            let given = before[start + 3..].trim();
            given.is_empty() || given.starts_with('(') && given.ends_with(')')
        });
        let attributes = visibility.map_or(before, |start| before[..start].trim_end());
        let line = source[..at].rfind('\n').map_or(0, |end| end + 1);
        !attributes.ends_with(']') || !attributes.contains("system") || is_in_impl(source, line)
    })
}

/// Whether the line that begins at `line` may be in an `impl` or a `trait`: the next line above
/// with less indentation begins one.
fn is_in_impl(source: &str, line: usize) -> bool {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let begins = |line: &str| {
        let mut words = line.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
        (line.contains("impl") || line.contains("trait"))
            && words.any(|word| word == "impl" || word == "trait")
    };
    let own = source[line..].lines().next().unwrap_or_default();
    let mut above = source[..line].lines().rev();
    if begins(own) {
        return true;
    }
    if indentation(own) == 0 {
        // a body without indentation
        let is_between = |line: &&str| {
            let is_function = line.starts_with("fn ") && line.ends_with('}');
            line.trim().is_empty() || line.starts_with('#') || line.starts_with("//") || is_function
        };
        return above.find(|line| !is_between(line)).is_some_and(|line| begins(line) && line.ends_with('{'));
    }
    let outer = above.find(|line| !line.trim().is_empty() && indentation(line) < indentation(own));
    outer.is_some_and(|line| begins(line) || line.trim_start().starts_with(['{', '}', ')', 'w']))
}

/// Whether the function `name`, which has `#[system]` at `span`, is a method of an `impl` or a
/// `trait`.
pub(crate) fn is_method(name: &str, span: Span) -> bool {
    let Some((source, line)) = file_of(span) else { return false };
    is_in_impl(&source.text, line) && is_method_in(&source.text, name)
}

fn is_method_in(source: &str, name: &str) -> bool {
    let Ok(file) = syn::parse_file(source) else { return false };
    let lists = lists(&file);
    systems(&lists, true).contains(name) && !systems(&lists, false).contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> HashSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn unmarked(source: &str) -> HashSet<String> {
        no_systems_in(source, "Game", &set(&["movement", "steer"])).unmarked
    }

    const WORLD: &str = "world! { pub struct Game {} schedule tick { movement, steer } }\n";

    #[test]
    fn functions_beside_the_world_without_the_attribute_are_found() {
        let of = |functions: &str| unmarked(&format!("{WORLD}{functions}"));
        assert_eq!(of("fn movement() {}\n#[system(Game)]\nfn steer() {}"), set(&["movement"]));
        assert_eq!(of("/// The system.\npub(crate) fn movement() {}\n#[inline] pub fn steer() {}").len(), 2);
        assert_eq!(
            of("#[system(Game)] pub fn movement() {}\n#[ecs::system]\n/// Steers; all.\nfn steer() {}"),
            set(&[])
        );
        // what may be a system after all
        assert_eq!(of("#[engine] fn movement() {}"), set(&[]));
        assert_eq!(of("#[cfg(a)] fn movement() {}\n#[cfg(b)] use b::movement;"), set(&[]));
        assert_eq!(of("struct movement; fn movement() {}"), set(&[]));
        assert_eq!(of("fn movement() {} fn movement() {}"), set(&[]));
    }

    #[test]
    fn only_the_list_of_the_world_counts() {
        let inner = format!("mod game {{ {WORLD} use super::a::movement; }} mod a {{ fn movement() {{}} }}");
        assert_eq!(unmarked(&inner), set(&[]));
        assert_eq!(
            unmarked(&format!("fn test() {{ {WORLD} fn movement() {{}} }} fn steer() {{}}")),
            set(&["movement"])
        );
        assert_eq!(unmarked(&format!("{WORLD} mod a {{ {WORLD} fn movement() {{}} }}")), set(&[]));
        assert_eq!(unmarked("fn movement() {} struct Game;"), set(&[]));
        assert_eq!(unmarked("fn movement( {"), set(&[]));
    }

    fn in_impl(source: &str, line: usize) -> bool {
        is_in_impl(source, SourceText::new(source.into()).lines[line])
    }

    #[test]
    fn methods_with_the_attribute_are_found() {
        let source = format!("{WORLD}impl A {{\n    #[system(Game)]\n    fn movement() {{}}\n}}\n");
        assert!(in_impl(&source, 3) && is_method_in(&source, "movement") && !is_method_in(&source, "steer"));
        let found = no_systems_in(&source, "Game", &set(&["movement"]));
        assert_eq!(found, NoSystems { unmarked: set(&[]), methods: set(&["movement"]) });
        let module = "mod a {\n    use b::C;\n\n    #[system]\n    fn movement() {}\n}\n";
        assert!(!in_impl(module, 3));
        let both = "impl A { #[system] fn movement() {} }\n#[system] fn movement() {}";
        assert!(!is_method_in(both, "movement"));
        assert!(in_impl("impl<T> A<T>\nwhere\n    T: B,\n{\n    #[system]\n    fn a() {}\n}", 4));
    }
}
