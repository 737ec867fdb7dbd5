//! [`DeltaError`]: the errors of applying a delta, and of merging or moving a part of a world.

use alloc::string::String;
use core::fmt;

use crate::entity::Entity;
use crate::save::SaveError;

/// The error of applying a delta, or of merging or moving a part of a world. The worlds are
/// unchanged, and so is the [`Replica`](crate::save::Replica).
#[derive(Debug)]
#[non_exhaustive]
pub enum DeltaError {
    /// The bytes do not begin with the signature of a delta.
    NotADelta,
    /// The delta has an unsupported version of the format.
    Format {
        /// The version of the delta.
        found: u8,
        /// The supported version.
        known: u8,
    },
    /// The checksum does not match: bytes were changed, or are missing.
    Corrupt,
    /// The delta was made for other components, for the components in another order, or their types
    /// have another layout in this program.
    OtherSelection {
        /// The name of the world that the delta was to be applied to.
        world: &'static str,
    },
    /// The delta was applied already, or a later one was.
    AlreadyApplied {
        /// The frame to which the delta leads.
        to: u64,
        /// The frame of the replica.
        at: u64,
    },
    /// A delta before this one was not applied.
    OutOfOrder {
        /// The frame from which the delta starts.
        from: u64,
        /// The frame of the replica.
        at: u64,
    },
    /// The delta exceeds a limit of the [`Replica`](crate::save::Replica).
    TooLarge {
        /// `entities` or `bytes`.
        what: &'static str,
        /// The number in the delta.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// A part of the delta is invalid, or a rule of a component refuses a value.
    Content {
        /// The invalid part, for instance ``component `Position` of entity 3v1``.
        place: String,
        /// The reason why it is invalid.
        reason: String,
        /// The name of the world.
        world: &'static str,
    },
    /// An entity that was to be moved is not alive.
    NotAlive {
        /// The entity.
        entity: Entity,
        /// The name of the world.
        world: &'static str,
    },
    /// An entity that was to be moved could not be saved.
    Save(SaveError),
}

impl fmt::Display for DeltaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotADelta => f.write_str("this is not a delta: the bytes do not begin with `ecsd`"),
            Self::Format { found, known } => {
                write!(f, "the delta has format version {found}; this program reads version {known}")
            }
            Self::Corrupt => f.write_str("the delta is damaged: its checksum does not match"),
            Self::OtherSelection { world } => write!(
                f,
                "the delta was made for other components than those selected of world `{world}`, or for them in another order, or their types have another layout"
            ),
            Self::AlreadyApplied { to, at } => {
                write!(f, "the delta leads to frame {to}, and the replica is at frame {at} already")
            }
            Self::OutOfOrder { from, at } => {
                write!(
                    f,
                    "the delta starts from frame {from}, and the replica is at frame {at}: apply the deltas between them first"
                )
            }
            Self::TooLarge { what, found, limit } => {
                write!(f, "the delta would need {found} {what}, and the replica allows {limit}")
            }
            Self::Content { place, reason, world } => {
                write!(f, "the delta does not fit world `{world}`: {place}: {reason}")
            }
            Self::NotAlive { entity, world } => write!(f, "world `{world}` has no entity {entity} to move"),
            Self::Save(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for DeltaError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Save(error) => Some(error),
            _ => None,
        }
    }
}

impl From<SaveError> for DeltaError {
    fn from(error: SaveError) -> Self {
        Self::Save(error)
    }
}
