//! The measured libraries. To add a library: a file with a `cases` function, a module, a line in
//! [`ALL`], and a feature of the package, so that the program can be built without it.

mod aos;
mod arrays;
#[cfg(feature = "bevy")]
mod bevy;
mod ecs;
#[cfg(feature = "flecs")]
mod flecs;
#[cfg(feature = "gecs")]
mod gecs;
#[cfg(feature = "hecs")]
mod hecs;
#[cfg(feature = "legion")]
mod legion;
#[cfg(feature = "shipyard")]
mod shipyard;
#[cfg(feature = "sparsey")]
mod sparsey;
#[cfg(feature = "specs")]
mod specs;

use serde::{Deserialize, Serialize};

use crate::harness::Suite;

/// The role of a library in the comparison.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// The limit: no library is expected to be faster.
    Limit,
    /// The usual code without a library.
    Baseline,
    /// This library, which the goals are about.
    Subject,
    /// A library for comparison.
    Peer,
}

/// A library and its place in the comparison.
#[derive(Clone, Copy)]
pub(crate) struct Library {
    /// The name, as `--with` takes it.
    pub(crate) name: &'static str,
    /// Its package; none for the arrays.
    pub(crate) package: &'static str,
    pub(crate) role: Role,
    /// The storage of components.
    pub(crate) storage: Storage,
}

impl Library {
    /// The most entities that a world, or an archetype, can have in reasonable time.
    pub(crate) fn most_entities(self) -> u32 {
        // gecs keeps a position in 24 bits; specs has bit sets of four levels of 64; flecs
        // allocates at most 2 GiB for a column, which 30,000,000 matrices exceed; legion moves all
        // its rows after each constant number of spawns, and takes many minutes
        if matches!(self.name, "gecs" | "specs" | "flecs" | "legion") { 1 << 24 } else { u32::MAX }
    }
}

/// The storage model of a library. Libraries with the same model are compared in the same
/// workloads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Storage {
    /// An array for each component, or one of structs.
    Arrays,
    /// A column for each component, with a bit for each slot.
    MaskedColumns,
    /// A table for each combination of components; the combinations are known to the compiler.
    StaticArchetypes,
    /// A table for each combination of components, created at run time.
    Archetypes,
    /// A dense array for each component, found through a sparse one.
    SparseSets,
    /// Sparse sets whose dense arrays have the same order for components that are declared to be a
    /// group.
    GroupedSparseSets,
    /// A column for each component, with a tree of bits.
    BitSets,
}

impl Storage {
    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Arrays => "arrays",
            Self::MaskedColumns => "masked columns",
            Self::StaticArchetypes | Self::Archetypes => "archetypes",
            Self::SparseSets => "sparse sets",
            Self::GroupedSparseSets => "grouped sparse sets",
            Self::BitSets => "bit sets",
        }
    }

    /// Whether the compiler has to know all components, or all combinations of them.
    pub(crate) fn is_static(self) -> bool {
        matches!(self, Self::Arrays | Self::MaskedColumns | Self::StaticArchetypes)
    }
}

/// A library, and the function that adds its cases.
type Entry = (Library, fn(&mut Suite));

/// All libraries that this program was built with, in the order of the report.
pub(crate) const ALL: &[Entry] = &[
    (library("arrays", "", Role::Limit, Storage::Arrays), arrays::cases),
    (library("aos", "", Role::Baseline, Storage::Arrays), aos::cases),
    (library("ecs", "checked-ecs", Role::Subject, Storage::MaskedColumns), ecs::cases),
    #[cfg(feature = "gecs")]
    (library("gecs", "gecs", Role::Peer, Storage::StaticArchetypes), gecs::cases),
    #[cfg(feature = "hecs")]
    (library("hecs", "hecs", Role::Peer, Storage::Archetypes), hecs::cases),
    #[cfg(feature = "bevy")]
    (library("bevy", "bevy_ecs", Role::Peer, Storage::Archetypes), bevy::cases),
    #[cfg(feature = "legion")]
    (library("legion", "legion", Role::Peer, Storage::Archetypes), legion::cases),
    #[cfg(feature = "flecs")]
    (library("flecs", "flecs_ecs", Role::Peer, Storage::Archetypes), flecs::cases),
    #[cfg(feature = "shipyard")]
    (library("shipyard", "shipyard", Role::Peer, Storage::SparseSets), shipyard::cases),
    #[cfg(feature = "sparsey")]
    (library("sparsey", "sparsey", Role::Peer, Storage::GroupedSparseSets), sparsey::cases),
    #[cfg(feature = "specs")]
    (library("specs", "specs", Role::Peer, Storage::BitSets), specs::cases),
];

/// Whether that is all that there are.
pub(crate) const IS_WHOLE: bool = cfg!(feature = "all");

const fn library(name: &'static str, package: &'static str, role: Role, storage: Storage) -> Library {
    Library { name, package, role, storage }
}

/// The names of all libraries.
pub(crate) const NAMES: [&str; ALL.len()] = {
    let mut names = [""; ALL.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = ALL[i].0.name;
        i += 1;
    }
    names
};

/// The workloads that all libraries support.
pub(crate) fn suite() -> Suite {
    let mut suite = Suite::new();
    for (library, cases) in ALL {
        suite.begin(*library);
        cases(&mut suite);
    }
    suite
}
