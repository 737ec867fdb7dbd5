//! Errors of saving and loading worlds.

use alloc::string::{String, ToString};
use core::fmt;

/// The error of saving a world.
#[derive(Debug)]
#[non_exhaustive]
pub enum SaveError {
    /// The writer returned an error.
    Io(std::io::Error),
    /// A value could not be serialized.
    Value {
        /// The position of the value in the world, for instance ``component `Position` of entity
        /// 3v1``.
        place: String,
        /// The name of the world.
        world: &'static str,
        /// The reason, in the words of the type's `Serialize` or of the format.
        reason: String,
    },
}

impl SaveError {
    pub(super) fn value(place: impl Into<String>, world: &'static str, reason: impl fmt::Display) -> Self {
        Self::Value { place: place.into(), world, reason: reason.to_string() }
    }
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the world was not written: {error}"),
            Self::Value { place, world, reason } => {
                write!(f, "world `{world}` was not saved: {place}: {reason}")
            }
        }
    }
}

impl core::error::Error for SaveError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Value { .. } => None,
        }
    }
}

impl From<std::io::Error> for SaveError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// The error of loading or merging a world. No world was made, or the world that was merged into is
/// unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes do not begin with the signature of a saved world.
    NotASave,
    /// The bytes begin as the readable form of a saved world does, with `{` or `(`. Its format
    /// reads it: [`from_json`](super::Saved::from_json), for instance.
    ReadableForm,
    /// The file has an unsupported version of the format.
    Version {
        /// The version of the file.
        found: u32,
        /// The supported version.
        known: u32,
    },
    /// The file is of a world type with another name.
    OtherWorld {
        /// The name of the world in the file.
        found: String,
        /// The name of the world to be loaded.
        world: &'static str,
    },
    /// The checksum does not match: bytes were changed, or are missing.
    Damaged,
    /// The file has a component, resource, event or system that the world does not have.
    Unknown {
        /// `component`, `resource`, `event` or `system`.
        kind: &'static str,
        /// The name in the file.
        name: String,
        /// The most similar name in the world, if it differs by at most two letters.
        nearest: Option<&'static str>,
        /// The name of the world.
        world: &'static str,
    },
    /// The world has a resource that has no default and is not in the file.
    Missing {
        /// The name of the resource.
        resource: &'static str,
        /// The name of the world.
        world: &'static str,
    },
    /// The layout of a type differs from its layout in the file.
    Layout {
        /// `component`, `resource` or `event`.
        kind: &'static str,
        /// The name of the type.
        name: &'static str,
        /// The layout in the file.
        saved: String,
        /// The layout in the program.
        now: String,
        /// The name of the world.
        world: &'static str,
    },
    /// A part of the file is invalid.
    Invalid {
        /// The invalid part, for instance ``component `Position` of entity 3v1``.
        place: String,
        /// The reason why it is invalid.
        reason: String,
        /// The name of the world.
        world: &'static str,
    },
}

impl LoadError {
    pub(crate) fn invalid(place: impl fmt::Display, reason: impl fmt::Display, world: &'static str) -> Self {
        Self::Invalid { place: place.to_string(), reason: reason.to_string(), world }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASave => {
                f.write_str("this is not a saved world: the bytes do not begin with `ecsworld`")
            }
            Self::ReadableForm => f.write_str(
                "this is text, and `load` reads the compact form of a saved world: read the readable form with its format, such as \
                 `Game::from_json`",
            ),
            Self::Version { found, known } => {
                write!(f, "the world was saved in format version {found}; this program reads version {known}")
            }
            Self::OtherWorld { found, world } => {
                write!(f, "the file contains world `{found}`, expected world `{world}`")
            }
            Self::Damaged => f.write_str("the saved world is damaged: its checksum does not match"),
            Self::Unknown { kind, name, nearest, world } => {
                write!(f, "world `{world}` has no {kind} `{name}`")?;
                match nearest {
                    Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
                    None => Ok(()),
                }
            }
            Self::Missing { resource, world } => write!(
                f,
                "the saved world `{world}` has no resource `{resource}`: give it one, `LoadOptions::new().resource(..)`, or \
                 implement `Default` for it"
            ),
            Self::Layout { kind, name, saved, now, world } => {
                write!(f, "{kind} `{name}` of world `{world}` was saved as `{saved}` and is now `{now}`")?;
                match *kind {
                    "component" => {
                        write!(f, ": keep the old type, and write `#[component(from = Old{name})]`")
                    }
                    _ => Ok(()),
                }
            }
            Self::Invalid { place, reason, world } => write!(f, "saved world `{world}`, {place}: {reason}"),
        }
    }
}

impl core::error::Error for LoadError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_of_a_failed_write_is_the_error_of_the_writer() {
        use core::error::Error;
        let error = SaveError::from(std::io::Error::other("full"));
        assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("full"));
    }
}
