//! The declaration of a type in the text of a file: its derives, its options and its parameters.

use super::*;
use crate::parse::component::FORMS;
use crate::words::has_word;

/// The derives of this library that tell what a type is, with the nouns for it.
pub(super) const NOUNS: [(&str, &str); 9] = [
    ("Component", "component"),
    ("Relation", "component"),
    ("Resource", "resource"),
    ("Event", "event"),
    ("SystemParam", "struct of parameters"),
    ("Query", "query"),
    ("Bundle", "bundle"),
    ("Aspect", "aspect"),
    ("States", "enum of states"),
];

/// The nouns of what a world lists; its sections have their plurals.
pub(super) const LISTED: [&str; 3] = ["component", "resource", "event"];

/// The declaration of a struct or an enum in the file of its name.
pub(crate) struct Declaration {
    pub(super) source: Rc<SourceText>,
    pub(super) name: String,
    /// Where the declaration begins, and where its name ends.
    at: (usize, usize),
}

impl Declaration {
    pub(crate) fn of(name: &proc_macro2::Ident) -> Option<Self> {
        let (source, _) = file_of(name.span())?;
        let name = text(name);
        let at = source.declarations(&name).next()?;
        Some(Self { at, source, name })
    }

    /// Whether the name means this type wherever it stands in the file: there is no other one, and
    /// no import of the name.
    pub(super) fn is_certain(&self) -> bool {
        self.source.declarations(&self.name).count() == 1 && !self.source.imports(&self.name)
    }

    /// The number of its lifetimes, if it has the derive of `of_trait`, which refuses them: another
    /// type of this name may be meant.
    pub(crate) fn lifetimes(&self, of_trait: &str) -> usize {
        if !above(&self.source.text, self.at.0).contains(of_trait) {
            return 0;
        }
        self.parameters().filter(|parameter| parameter.starts_with('\'')).count()
    }

    /// The first of its type parameters, if it has the derive of `of_trait` and the parameter has
    /// no default.
    pub(crate) fn type_parameter(&self, of_trait: &str) -> Option<String> {
        let first = self.parameters().find(|parameter| !parameter.starts_with('\''))?;
        let is_own = above(&self.source.text, self.at.0).contains(of_trait) && !first.contains('=');
        let name = first.split([':', ' ']).next().unwrap_or_default().to_owned();
        (is_own && !name.is_empty() && name != "const" && self.is_certain()).then_some(name)
    }

    fn parameters(&self) -> impl Iterator<Item = &str> {
        let parameters = self.source.text[self.at.1..].strip_prefix('<').unwrap_or_default();
        let parameters = parameters.split(['>', '{', '(']).next().unwrap_or_default();
        parameters.split(',').map(str::trim).filter(|parameter| !parameter.is_empty())
    }

    /// The derives, by their last names.
    fn derives(&self) -> Vec<&str> {
        self.lists("#[derive(").flat_map(|list| list.split(',')).map(last_name).collect()
    }

    /// Whether it is a relation, by its derive or by the attribute `#[relation(..)]`.
    pub(crate) fn is_relation(&self) -> bool {
        self.has_derive("Relation") || above(&self.source.text, self.at.0).contains("#[relation(")
    }

    /// The lists of its attributes that begin so.
    fn lists<'s>(&'s self, begin: &'s str) -> impl Iterator<Item = &'s str> {
        let lists = above(&self.source.text, self.at.0).split(begin).skip(1);
        lists.filter_map(|list| list.split(")]").next())
    }

    /// Whether its attribute `#[relation(..)]` has the word `option`.
    pub(crate) fn has_relation_option(&self, option: &str) -> bool {
        self.lists("#[relation(").flat_map(words).any(|word| word == option)
    }

    /// Whether the file has `Many` of it.
    pub(crate) fn is_listed_as_many(&self) -> bool {
        self.source.text.contains(&format!("Many<{}>", self.name))
    }

    /// Whether it has the derive of `of_trait`.
    pub(crate) fn has_derive(&self, of_trait: &str) -> bool {
        self.derives().contains(&of_trait)
    }

    /// Whether it is certain which type this is and what its options give: the file has no impls by
    /// hand that give more.
    pub(crate) fn has_known_options(&self) -> bool {
        let text = &self.source.text;
        let is_given = |of_trait: &str| text.contains(&format!("impl {of_trait}<{}>", self.name));
        self.is_certain()
            && !above(text, self.at.0).contains("cfg_attr")
            && !["HasMut", "HasStamps", "HasTracked", "HasRemoved"].into_iter().any(is_given)
    }

    /// Whether an option of the component is misspelt, which its derive reports.
    pub(crate) fn has_unknown_option(&self) -> bool {
        self.lists("#[component(")
            .flat_map(|list| list.split(','))
            .filter_map(|option| words(option).next())
            .any(|option| option.starts_with(char::is_lowercase) && words(FORMS).all(|known| known != option))
    }

    /// The components of the file that it requires, without their values.
    pub(crate) fn requires(&self) -> Vec<String> {
        if !self.source.has_requirements || !self.is_certain() {
            return Vec::new();
        }
        let lists = above(&self.source.text, self.at.0).split("requires(").skip(1);
        let types = lists.filter_map(|list| list.split(')').next()).flat_map(|list| list.split(','));
        let types = types.map(str::trim).filter(|ty| ty.chars().all(is_of_a_word) && !ty.is_empty());
        let is_component = |ty: &&str| {
            let at = self.source.only("struct", ty).or_else(|| self.source.only("enum", ty));
            at.is_some_and(|(at, _)| above(&self.source.text, at).contains("Component"))
        };
        types.filter(is_component).map(str::to_owned).collect()
    }

    /// Whether it is a struct without fields.
    pub(crate) fn is_unit(&self) -> bool {
        let signs = self.source.text[self.at.1..].chars().filter(|sign| !sign.is_whitespace());
        let behind: String = signs.take(3).collect();
        ["{}", "();", ";"].iter().any(|end| behind.starts_with(end))
            && self.source.text[self.at.0..].starts_with("struct")
    }

    /// The name of the first variant of an enum.
    pub(crate) fn first_variant(&self) -> Option<String> {
        let enum_of_one = self.source.text[self.at.0..].strip_prefix("enum")?;
        let mut body = enum_of_one.split_once('{')?.1.trim_start();
        while body.starts_with("//") || body.starts_with('#') {
            body = body.split_once('\n')?.1.trim_start();
        }
        let name = body.split(|sign| !is_of_a_word(sign)).next()?;
        name.starts_with(char::is_uppercase).then(|| name.to_owned())
    }

    /// Whether its attribute `#[component(..)]` has the word `option`.
    pub(crate) fn has_option(&self, option: &str) -> bool {
        self.lists("#[component(").flat_map(words).any(|word| word == option)
    }

    /// The noun for it by its derive.
    pub(crate) fn noun(&self) -> Option<&'static str> {
        let derived = self.derives();
        NOUNS.into_iter().find_map(|(derive, noun)| derived.contains(&derive).then_some(noun))
    }

    /// The noun for it by its derive, if that is another one than `of_trait`. A world that lists it as
    /// another thing reports that: then it is this thing.
    pub(crate) fn derived_otherwise(&self, of_trait: &str) -> Option<&'static str> {
        let noun = self.as_listed(self.has_another_derive(of_trait)?);
        (noun != of_trait.to_lowercase()).then_some(noun)
    }

    /// The noun for it by its derive, if that is another one than `of_trait`.
    pub(crate) fn has_another_derive(&self, of_trait: &str) -> Option<&'static str> {
        let by_hand = format!("{of_trait} for {}", self.name);
        let is_own =
            self.has_derive(of_trait) || self.has_derive("Relation") || self.source.text.contains(&by_hand);
        if is_own { None } else { self.noun().filter(|_| self.is_certain()) }
    }

    /// The noun of the section in which the worlds of its file list it, if none lists it by its
    /// derive, of `noun`; else `noun`.
    pub(super) fn as_listed(&self, noun: &'static str) -> &'static str {
        if !LISTED.contains(&noun) {
            return noun;
        }
        let sections = world_texts(&self.source.text).flat_map(|world| {
            let mut section = None;
            words(world).filter_map(move |word| {
                let found = LISTED.into_iter().find(|noun| word.strip_suffix('s') == Some(*noun));
                section = found.or(section);
                section.filter(|_| word == self.name)
            })
        });
        let sections: Vec<&str> = sections.collect();
        if sections.contains(&noun) { noun } else { sections.first().copied().unwrap_or(noun) }
    }

    /// The item without its attributes, if its only other derives make it one of the things that a
    /// world lists.
    pub(crate) fn item_of_another_derive(&self, of_trait: &str) -> Option<String> {
        self.has_another_derive(of_trait).filter(|noun| self.as_listed(noun) != *noun)?;
        underived_in(&self.source.text, &self.name, of_trait, true).map(|found| found.item)
    }

    /// The derive that a struct with such fields lacks: `SystemParam` for parameters, `Query` for
    /// borrows.
    pub(crate) fn derive_of_its_fields(&self) -> Option<&'static str> {
        const PARAMETERS: [&str; 9] = [
            "Query",
            "Res",
            "ResMut",
            "Local",
            "Commands",
            "EventReader",
            "EventMutator",
            "EventWriter",
            "Storage",
        ];
        let behind = self.source.text[self.at.1..].split(';').next()?;
        let fields = behind.split_once('{').and_then(|(_, fields)| fields.split_once('}'))?.0;
        let has_parameters = PARAMETERS.into_iter().any(|name| fields.contains(&format!(": {name}<")));
        let found = match has_parameters {
            true => "SystemParam",
            false if fields.contains(": &'") => "Query",
            false => return None,
        };
        // it may have an impl by hand
        let is_implemented = self.source.text.contains("SystemParam<");
        let is_plain = self.derives().iter().all(|derive| has_word(STANDARD, derive));
        (is_plain && self.is_certain() && !is_implemented).then_some(found)
    }

    /// The item, if it is a struct of components without a derive, which `field` of an aspect holds:
    /// no world lists it, and no text above names its type.
    pub(crate) fn lacks_aspect(&self, field: Span) -> Option<String> {
        let (text, (_, line)) = (&self.source.text, file_of(field)?);
        let begin = format!(": {}", self.name);
        let first = text.match_indices(&begin).map(|(at, found)| (at, at + found.len()));
        let first =
            first.filter(|&(_, end)| !text[end..].starts_with(is_of_a_word)).map(|(at, _)| at).next()?;
        let is_first = first >= line && !text[line..first].contains('\n');
        let lists = ["world!", "parts!"].into_iter().flat_map(|call| text.split(call).skip(1));
        let is_listed = lists
            .filter_map(|rest| rest.split("\n}").next())
            .any(|list| words(list).any(|word| word == self.name));
        if !is_first || is_listed {
            return None;
        }
        let item = self.without_derive("Aspect")?.item;
        let fields = match syn::parse_str::<Item>(&item).ok()? {
            Item::Struct(item) => item.fields,
            _ => return None,
        };
        let is_component = |field: &syn::Field| match ungroup(&field.ty) {
            Type::Path(path) => path.path.get_ident().is_some_and(|name| {
                let name = crate::names::text(name);
                let mut declared = self.source.declarations(&name);
                declared.next().is_some_and(|(at, _)| above(text, at).contains("Component"))
            }),
            _ => false,
        };
        (!fields.is_empty() && fields.iter().all(is_component)).then_some(item)
    }

    /// Whether nothing implements a trait of serde for it: neither its file, nor another one of the
    /// package, which would mention it. `field` is the first use of the type in the file.
    pub(crate) fn is_unsaved(&self, field: &proc_macro2::Ident) -> bool {
        let (text, Some((_, line))) = (&self.source.text, file_of(field.span())) else { return false };
        if above(text, self.at.0).contains("erialize") {
            return false;
        }
        let uses = text.match_indices(&self.name).map(|(at, found)| (at, at + found.len()));
        let first = uses.filter(|&(at, end)| {
            let is_comment = text[..at].rsplit('\n').next().is_some_and(|line| line.contains("//"));
            let is_longer = text[..at].ends_with(is_of_a_word) || text[end..].starts_with(is_of_a_word);
            !is_comment && !is_longer && end != self.at.1
        });
        let first = first.map(|(at, _)| at).next();
        first.is_some_and(|at| at >= line && !text[line..at].contains('\n'))
            && self.parameters().next().is_none()
            && self.is_certain()
            && !text.contains("include!")
            && underived_in(text, &self.name, "erialize", false).is_some()
            && !is_found_elsewhere(field.span(), &|file| words(file).any(|word| word == self.name))
    }

    /// The item, if it has no derive which could make it what it is listed as: the file declares
    /// one type of the name, with derives of the standard library and of serde alone, and no impl
    /// of `of_trait`.
    pub(crate) fn without_derive(&self, of_trait: &str) -> Option<Underived> {
        let above = above(&self.source.text, self.at.0);
        if above.contains(of_trait) || above.contains("Relation") {
            return None;
        }
        underived_in(&self.source.text, &self.name, of_trait, false)
    }
}

/// The noun for a type that the file declares with a derive of this library. A world that lists it
/// as another thing reports that: then it is this thing.
pub(crate) fn noun_of(name: &proc_macro2::Ident) -> Option<&'static str> {
    let declared = Declaration::of(name)?;
    declared.noun().map(|noun| declared.as_listed(noun))
}

/// The derives of serde on the type `name`, by the text above its declaration.
pub(crate) fn derives_of_serde(name: &proc_macro2::Ident) -> Vec<&'static str> {
    let Some((source, line)) = file_of(name.span()) else { return Vec::new() };
    derives_of_serde_in(&source.text, line, &text(name))
}

/// `line` is the position of the line with the name.
fn derives_of_serde_in(source: &str, line: usize, name: &str) -> Vec<&'static str> {
    let own = source[line..].lines().next().unwrap_or_default();
    let declaration = ["struct ", "enum "].into_iter().find_map(|word| own.find(&format!("{word}{name}")));
    let Some(declaration) = declaration else { return Vec::new() };
    // comments may have any signs
    let lines = source[..line].lines().filter(|line| !line.trim_start().starts_with("//"));
    let above = lines.chain([&own[..declaration]]).collect::<Vec<_>>().join("\n");
    let above = above.rsplit([';', '}']).next().unwrap_or_default();
    let lists = above.split("#[derive(").skip(1).filter_map(|list| list.split(")]").next());
    let derived: Vec<&str> = lists.flat_map(|list| list.split(',')).map(str::trim).collect();
    // traits of these names also exist in the crate `rkyv`
    let is_imported = source.contains("serde::") && !derived.contains(&"Archive");
    let is_of_serde = |of_trait: &&str| {
        derived.iter().any(|path| match path.rsplit_once("::") {
            Some((before, last)) => last == *of_trait && before.trim_start_matches(':') == "serde",
            None => path == of_trait && is_imported,
        })
    };
    ["Serialize", "Deserialize"].into_iter().filter(is_of_serde).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derives_of_serde_are_found_above_their_type() {
        let of = |source: &str| {
            let at = source.find("Health").expect("is there");
            derives_of_serde_in(source, source[..at].rfind('\n').map_or(0, |end| end + 1), "Health")
        };
        let both = ["Serialize", "Deserialize"];
        assert_eq!(of("use serde::*;\n#[derive(Reflect, Serialize, Deserialize)] struct Health;"), both);
        assert_eq!(of("#[derive(serde::Serialize)]\n/// It; is }.\n#[b]\npub struct Health;"), ["Serialize"]);
        for other in [
            "use serde::*;\n#[derive(Serialize)] struct Other;\n#[derive(Reflect)] struct Health;",
            "use serde::*;\n#[cfg_attr(a, derive(Serialize))]\nstruct Health;",
            "use serde::*;\n#[derive(Archive, Serialize)]\nstruct Health;",
            "#[derive(rkyv::Serialize)]\nstruct Health;",
            "#[derive(Serialize)]\nmake!(Health);",
        ] {
            assert_eq!(of(other), [""; 0], "{other}");
        }
    }
}
