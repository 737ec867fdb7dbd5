//! A world: its fields by section, and its schedules.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Generics, Path, Token, Type, Visibility};

use super::schedule::Schedule;
use crate::names::{Ecs, field_of, source, text};
use crate::parse::event::Options;
use crate::parse::include::entries::Included;
use crate::parse::world::{Entry as ParsedEntry, Noun, SECTIONS, World as Parsed};
use crate::parse::world_options::WorldOptions;

/// A section of a world.
pub(crate) struct Section {
    /// The name.
    pub(crate) name: &'static str,
    /// The noun for an entry.
    pub(crate) noun: &'static str,
    /// The derive of an entry.
    pub(crate) derive: &'static str,
    /// The limit of entries.
    pub(crate) most: usize,
}

const KINDS: [Section; 3] = [
    Section { name: SECTIONS[0], noun: "component", derive: "Component", most: 512 },
    Section { name: SECTIONS[1], noun: "resource", derive: "Resource", most: 256 },
    Section { name: SECTIONS[2], noun: "event", derive: "Event", most: 256 },
];

/// A component, resource or event of a world.
#[derive(Clone)]
pub(crate) struct Entry {
    /// All attributes, documentation among them.
    pub(crate) attributes: Vec<Attribute>,
    /// The name of the field, as written or derived from the type's name.
    pub(crate) field: Ident,
    /// Whether there is no name to derive from the type.
    pub(crate) nameless: bool,
    pub(crate) ty: Type,
    /// A resource's first value.
    pub(crate) value: Option<Expr>,
    /// The options of an event.
    pub(crate) event: Options,
    /// The number in the section. Entries that are compiled out keep their number.
    pub(crate) index: usize,
    /// The parts that list the entry, if it is included.
    pub(crate) included: Option<Included>,
}

impl Entry {
    fn new(parsed: ParsedEntry, index: usize) -> Self {
        let ParsedEntry { attributes, name, ty, value, event, included } = parsed;
        let given = name.or_else(|| field_of(&ty));
        let nameless = given.is_none();
        let field = given.unwrap_or_else(|| format_ident!("unnamed_{index}"));
        Self { attributes, field, nameless, ty, value, event, index, included }
    }

    /// The type for messages and name lists.
    pub(crate) fn spelled(&self) -> String {
        self.included.as_ref().map_or_else(|| source(&self.ty), |included| included.spelled.clone())
    }

    /// The type and its origin, for messages about two entries: `` `Velocity` of `physics::physics`
    /// ``.
    pub(crate) fn placed(&self) -> String {
        let of = self.included.as_ref().map(|included| format!(" of `{}`", included.of()));
        format!("`{}`{}", self.spelled(), of.unwrap_or_default())
    }

    /// The `#[cfg(..)]` attributes.
    pub(crate) fn cfg(&self) -> TokenStream {
        let cfg = crate::cfg::of(&self.attributes);
        quote!(#(#cfg)*)
    }

    /// The documentation and `#[cfg(..)]` attributes.
    pub(crate) fn doc_and_cfg(&self) -> TokenStream {
        let shown =
            |attribute: &&Attribute| attribute.path().is_ident("cfg") || attribute.path().is_ident("doc");
        let attributes = self.attributes.iter().filter(shown);
        quote!(#(#attributes)*)
    }
}

/// A world.
pub(crate) struct World {
    pub(crate) noun: Noun,
    pub(crate) ecs: Ecs,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) options: WorldOptions,
    pub(crate) visibility: Visibility,
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) components: Vec<Entry>,
    pub(crate) resources: Vec<Entry>,
    pub(crate) events: Vec<Entry>,
    pub(crate) schedules: Vec<Schedule>,
    /// The paths of the parts that parts need.
    pub(crate) needs: Vec<Path>,
    /// Whether steps may be missing after a message: then it is not known who sends and reads
    /// events.
    pub(crate) lacks_steps: bool,
    /// Whether its file takes the trait `World` for its type, which was reported.
    pub(crate) is_called_world: bool,
}

/// The beginning of the name of a struct whose module imports its name.
const BESIDE_IMPORT: &str = "__BesideImportOf";

impl World {
    pub(crate) fn new(parsed: Parsed) -> Self {
        let Parsed {
            noun,
            ecs,
            attributes,
            options,
            visibility,
            ident,
            generics,
            sections,
            schedules,
            includes,
        } = parsed;
        let [components, resources, events] = sections.map(|entries| {
            entries.into_iter().enumerate().map(|(index, entry)| Entry::new(entry, index)).collect::<Vec<_>>()
        });
        Self {
            noun,
            ecs,
            attributes,
            options,
            visibility,
            ident,
            generics,
            components,
            resources,
            events,
            schedules,
            needs: includes.needs,
            lacks_steps: false,
            is_called_world: false,
        }
    }

    /// The name for messages and for `NAME`.
    pub(crate) fn name(&self) -> String {
        let name = text(&self.ident);
        name.strip_prefix(BESIDE_IMPORT).map_or(name.clone(), str::to_owned)
    }

    /// Gives the struct another name, and returns the import of the former name. For a world that its
    /// module imports as well: the compiler reports the two names, and each use of the struct if it
    /// takes the other type for it.
    pub(crate) fn renamed(&mut self) -> TokenStream {
        let (visibility, shown) = (&self.visibility, self.ident.clone());
        self.ident = format_ident!("{BESIDE_IMPORT}{}", text(&shown), span = shown.span());
        let hidden = &self.ident;
        quote!(#[allow(unused_imports)] #visibility use #hidden as #shown;)
    }

    /// The path of a derive, by its last name.
    pub(crate) fn derived(&self, name: &str) -> Option<Path> {
        let derives = self.attributes.iter().filter(|attribute| attribute.path().is_ident("derive"));
        let paths = derives.filter_map(|attribute| {
            attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok()
        });
        paths.flatten().find(|path| path.segments.last().is_some_and(|last| last.ident == name))
    }

    /// Whether it is saved. One of the two derives alone is reported.
    pub(crate) fn is_saved(&self) -> bool {
        cfg!(feature = "serde")
            && (self.derived("Serialize").is_some() || self.derived("Deserialize").is_some())
    }

    /// Whether it derives `Reflect`.
    pub(crate) fn is_reflected(&self) -> bool {
        cfg!(feature = "reflect") && self.derived("Reflect").is_some()
    }

    /// For messages: ``world `Game` ``.
    pub(crate) fn title(&self) -> String {
        self.noun.named(&self.ident)
    }

    /// The sections.
    pub(crate) fn sections(&self) -> [(&'static Section, &Vec<Entry>); 3] {
        let [components, resources, events] = const { &KINDS };
        [(components, &self.components), (resources, &self.resources), (events, &self.events)]
    }

    /// The sections, for `check` to correct.
    pub(crate) fn sections_mut(&mut self) -> [(&'static Section, &mut Vec<Entry>); 3] {
        let [components, resources, events] = const { &KINDS };
        [(components, &mut self.components), (resources, &mut self.resources), (events, &mut self.events)]
    }

    /// All entries.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.components.iter().chain(&self.resources).chain(&self.events)
    }

    /// The name of the struct of views.
    pub(crate) fn columns(&self) -> Ident {
        let name = format!("{}Columns", self.name());
        Ident::new(&name, self.ident.span())
    }
}
