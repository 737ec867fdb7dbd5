//! [`VersionDifference`]: the first difference between the types of a server and of a client.
//!
//! Messages with the whole state name the server's components, with a hash of the layout of each,
//! and have hashes of the types of inputs and events. The client compares them with its own before
//! it reads any of their values.

use std::fmt;

use ecs::World;
use ecs::save::Selection;
use serde::{Deserialize, Serialize};

/// The longest name of a component that a server reads, in bytes.
const LONGEST: usize = 256;

/// The first difference between the types of a server and of a client that is of another version
/// of the program, or of another program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum VersionDifference {
    /// A component has another layout: a field was added, removed, renamed, or has another type.
    Layout {
        /// The name of the component.
        component: String,
    },
    /// The client does not receive a component of the server's views.
    ServerOnly {
        /// The name of the component.
        component: String,
    },
    /// The server's views lack a component of the client.
    ClientOnly {
        /// The name of the component.
        component: String,
    },
    /// Both list the same components, in another order.
    Order {
        /// The first component of the server that has another place.
        component: String,
    },
    /// The type of the inputs has another layout.
    Inputs,
    /// The type of the events has another layout.
    Events,
}

impl VersionDifference {
    /// Whether the name is one that a component may have.
    pub(crate) fn is_short(&self) -> bool {
        match self {
            Self::Layout { component }
            | Self::ServerOnly { component }
            | Self::ClientOnly { component }
            | Self::Order { component } => component.len() <= LONGEST,
            Self::Inputs | Self::Events => true,
        }
    }
}

impl fmt::Display for VersionDifference {
    /// Names from the network are written with escapes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout { component } => {
                write!(f, "component `{}` has another layout on the server", component.escape_debug())
            }
            Self::ServerOnly { component } => write!(
                f,
                "the server sends component `{}`, which the client does not receive",
                component.escape_debug()
            ),
            Self::ClientOnly { component } => write!(
                f,
                "the client receives component `{}`, which the server does not send",
                component.escape_debug()
            ),
            Self::Order { component } => {
                write!(f, "component `{}` has another place in the list", component.escape_debug())
            }
            Self::Inputs => f.write_str("the type of the inputs has another layout on the server"),
            Self::Events => f.write_str("the type of the events has another layout on the server"),
        }
    }
}

/// The types of one side: what both must have in common.
#[derive(Serialize, Deserialize)]
pub(crate) struct Version<'v> {
    /// The names and the hashes of the layouts of the components.
    #[serde(borrow)]
    components: Vec<(&'v str, u64)>,
    /// The hashes of the layouts of inputs and events.
    types: [u64; 2],
}

impl<'v> Version<'v> {
    pub(crate) fn of<W: World>(selection: &Selection<W>, types: [u64; 2]) -> Self {
        let names = selection.names().iter().enumerate();
        Self { components: names.map(|(at, &name)| (name, selection.layout_of(at))).collect(), types }
    }

    /// The first difference between a server and a client.
    pub(crate) fn difference(&self, client: &Version<'_>) -> Option<VersionDifference> {
        let has =
            |version: &Version<'_>, name: &str| version.components.iter().any(|(other, _)| *other == name);
        for at in 0..self.components.len().max(client.components.len()) {
            let (here, there) = (self.components.get(at), client.components.get(at));
            if here == there {
                continue;
            }
            let server_only = here.filter(|(name, _)| !has(client, name));
            let client_only = there.filter(|(name, _)| !has(self, name));
            let named = |(name, _): &(&str, u64)| (*name).to_owned();
            return Some(match (here, there) {
                (Some(here), Some(there)) if here.0 == there.0 => {
                    VersionDifference::Layout { component: named(here) }
                }
                _ if server_only.is_some() => {
                    VersionDifference::ServerOnly { component: server_only.map(named)? }
                }
                _ if client_only.is_some() => {
                    VersionDifference::ClientOnly { component: client_only.map(named)? }
                }
                _ => VersionDifference::Order { component: here.or(there).map(named)? },
            });
        }
        let kinds = [VersionDifference::Inputs, VersionDifference::Events];
        let mut differs = kinds.into_iter().zip(self.types.iter().zip(&client.types));
        differs.find(|(_, (here, there))| here != there).map(|(kind, _)| kind)
    }
}
