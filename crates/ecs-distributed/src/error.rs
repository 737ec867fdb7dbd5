//! [`RunError`]: the errors of a distributed run.

use std::error::Error;
use std::fmt;
use std::time::Duration;

/// The error of a distributed run. It ends the run of this worker; the last checkpoint stays as it
/// is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RunError {
    /// Some workers have not sent anything for too long.
    Timeout {
        /// The workers whose messages are missing.
        missing: Vec<usize>,
        /// The time that this worker has waited.
        waited: Duration,
    },
    /// A worker or a process has ended, or the connection to it is lost.
    Lost {
        /// The worker, process or address.
        peer: String,
        /// The reason, as the operating system or the other side gives it.
        reason: String,
    },
    /// A message of another worker is not what this worker expects.
    Damaged {
        /// The worker that has sent the message.
        from: usize,
        /// The part that is wrong.
        reason: String,
    },
    /// An entity could not be sent to another worker, or could not be added to the world of this
    /// one.
    Migration {
        /// The worker that sends the entities.
        from: usize,
        /// The worker that receives them.
        to: usize,
        /// The reason, with the component.
        reason: String,
    },
    /// The world has a component that `Model::Components` does not list, so that migrating entities
    /// would lose it.
    NotListed {
        /// The name of the component.
        component: &'static str,
        /// The name of the world.
        world: &'static str,
    },
    /// An entity has a place, and no `GlobalId`.
    NoGlobalId {
        /// The name of the world.
        world: &'static str,
    },
    /// A model gave a place that its space does not have.
    NoSuchPlace {
        /// The number of the place.
        place: u32,
        /// The number of places.
        places: u32,
    },
    /// The other process runs another program, or with other options.
    Handshake(String),
    /// A checkpoint could not be written, or cannot be read.
    Checkpoint(String),
    /// An error of the engine or the operating system.
    System(String),
}

impl RunError {
    pub(crate) fn damaged(from: usize, reason: impl fmt::Display) -> Self {
        Self::Damaged { from, reason: reason.to_string() }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout { missing, waited } => {
                let list: Vec<String> = missing.iter().map(usize::to_string).collect();
                let s = if missing.len() == 1 { "" } else { "s" };
                write!(
                    f,
                    "no message of worker{s} {} for {waited:?}: it hangs, or the network does",
                    list.join(", ")
                )
            }
            Self::Lost { peer, reason } => write!(f, "the connection to {peer} is lost: {reason}"),
            Self::Damaged { from, reason } => write!(f, "a message of worker {from} is damaged: {reason}"),
            Self::Migration { from, to, reason } => {
                write!(f, "entities that move from worker {from} to worker {to} cannot be moved: {reason}")
            }
            Self::NotListed { component, world } => write!(
                f,
                "world `{world}` has the component `{component}`, which entities would lose when they move to another worker: list it \
                 in `Model::Components`, or in `Model::STAYS` if no entity with a place has it"
            ),
            Self::NoGlobalId { world } => {
                write!(f, "an entity of world `{world}` has a place and no `GlobalId`: spawn it with one")
            }
            Self::NoSuchPlace { place, places } => {
                write!(
                    f,
                    "`Model::place` gave place {place}, and the space has the places 0 to {}",
                    places.saturating_sub(1)
                )
            }
            Self::Handshake(reason) | Self::Checkpoint(reason) | Self::System(reason) => f.write_str(reason),
        }
    }
}

impl Error for RunError {}
