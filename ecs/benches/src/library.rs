//! Who is measured. To add a library: a file with a `cases` function, a module, and a line in [`ALL`].

mod aos;
mod arrays;
mod bevy;
mod ecs;
mod flecs;
mod gecs;
mod hecs;
mod legion;
mod shipyard;
mod sparsey;
mod specs;

use serde::{Deserialize, Serialize};

use crate::harness::Suite;

/// What a library is in the comparison.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// What no library is expected to beat.
    Limit,
    /// What people write without a library.
    Baseline,
    /// The one that this is about.
    Subject,
    /// What it is compared to.
    Peer,
}

/// A library and its place in the comparison.
#[derive(Clone, Copy)]
pub(crate) struct Library {
    /// As `--with` takes it.
    pub(crate) name: &'static str,
    /// Its package; none for the arrays.
    pub(crate) package: &'static str,
    pub(crate) role: Role,
    /// How it keeps components.
    pub(crate) storage: Storage,
}

/// How a library keeps components, which is what it can be compared in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Storage {
    /// An array for each component, or one of structs.
    Arrays,
    /// A column for each component, with a bit for each slot.
    MaskedColumns,
    /// A table for each combination of components; the combinations are known to the compiler.
    StaticArchetypes,
    /// A table for each combination of components, made as they come.
    Archetypes,
    /// A dense array for each component, found through a sparse one.
    SparseSets,
    /// The same, kept in the same order where components are declared to be a group.
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

/// All libraries, in the order of the report.
pub(crate) const ALL: [Entry; 11] = [
    (Library { name: "arrays", package: "", role: Role::Limit, storage: Storage::Arrays }, arrays::cases),
    (Library { name: "aos", package: "", role: Role::Baseline, storage: Storage::Arrays }, aos::cases),
    (
        Library { name: "ecs", package: "ecs", role: Role::Subject, storage: Storage::MaskedColumns },
        ecs::cases,
    ),
    (
        Library { name: "gecs", package: "gecs", role: Role::Peer, storage: Storage::StaticArchetypes },
        gecs::cases,
    ),
    (Library { name: "hecs", package: "hecs", role: Role::Peer, storage: Storage::Archetypes }, hecs::cases),
    (
        Library { name: "bevy", package: "bevy_ecs", role: Role::Peer, storage: Storage::Archetypes },
        bevy::cases,
    ),
    (
        Library { name: "legion", package: "legion", role: Role::Peer, storage: Storage::Archetypes },
        legion::cases,
    ),
    (
        Library { name: "flecs", package: "flecs_ecs", role: Role::Peer, storage: Storage::Archetypes },
        flecs::cases,
    ),
    (
        Library { name: "shipyard", package: "shipyard", role: Role::Peer, storage: Storage::SparseSets },
        shipyard::cases,
    ),
    (
        Library {
            name: "sparsey",
            package: "sparsey",
            role: Role::Peer,
            storage: Storage::GroupedSparseSets,
        },
        sparsey::cases,
    ),
    (Library { name: "specs", package: "specs", role: Role::Peer, storage: Storage::BitSets }, specs::cases),
];

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

/// What all libraries can do.
pub(crate) fn suite() -> Suite {
    let mut suite = Suite::default();
    for (library, cases) in ALL {
        suite.begin(library);
        cases(&mut suite);
    }
    suite
}
