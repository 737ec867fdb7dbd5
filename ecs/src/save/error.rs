//! What can go wrong when worlds are saved and loaded.

use alloc::string::{String, ToString};
use core::fmt;

/// A world was not saved.
#[derive(Debug)]
#[non_exhaustive]
pub enum SaveError {
    /// What is written to failed.
    Io(std::io::Error),
    /// A value could not be written.
    Value {
        /// Whose it is: ``component `Position` of entity 3v1``.
        place: String,
        /// The world.
        world: &'static str,
        /// Why.
        reason: String,
    },
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

/// A world was not loaded. Nothing of it is there.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes do not begin as a save does.
    NotASave,
    /// The file is of another version of the format.
    Version {
        /// That version.
        found: u32,
        /// The one that is read.
        known: u32,
    },
    /// The file is of another world.
    OtherWorld {
        /// The world in the file.
        found: String,
        /// The world to be loaded.
        world: &'static str,
    },
    /// The checksum does not agree: bytes were changed, or are missing.
    Damaged,
    /// The file has something that the world does not have.
    Unknown {
        /// `component`, `resource`, `event` or `system`.
        kind: &'static str,
        /// What the file has.
        name: String,
        /// What it may have been meant to be.
        nearest: Option<&'static str>,
        /// The world.
        world: &'static str,
    },
    /// The world has a resource that the file does not have.
    Missing {
        /// The resource.
        resource: &'static str,
        /// The world.
        world: &'static str,
    },
    /// A type consists of something else than when it was saved.
    Layout {
        /// `component`, `resource` or `event`.
        kind: &'static str,
        /// The type.
        name: &'static str,
        /// What it was.
        saved: String,
        /// What it is.
        now: String,
        /// The world.
        world: &'static str,
    },
    /// Something in the file is not what it must be.
    Invalid {
        /// Where: ``component `Position` of entity 3v1``.
        place: String,
        /// What is wrong with it.
        reason: String,
        /// The world.
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
            Self::NotASave => f.write_str("this is not a saved world"),
            Self::Version { found, known } => {
                write!(f, "the world was saved in version {found} of the format, and version {known} is read")
            }
            Self::OtherWorld { found, world } => {
                write!(f, "this is a world `{found}`, not a world `{world}`")
            }
            Self::Damaged => f.write_str("the saved world is damaged: its checksum does not agree"),
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

/// The name in `known` that is at most two letters from `wrong`.
pub(crate) fn nearest<'n>(wrong: &str, known: &[&'n str]) -> Option<&'n str> {
    if wrong.len() > 100 {
        return None;
    }
    let (distance, name) =
        known.iter().filter(|name| !name.is_empty()).map(|name| (distance(wrong, name), *name)).min()?;
    (distance <= 2 && distance < wrong.len()).then_some(name)
}

/// How many letters must be changed, added or removed (Levenshtein, by rows).
fn distance(a: &str, b: &str) -> usize {
    let b: alloc::vec::Vec<char> = b.chars().collect();
    let mut row: alloc::vec::Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let change = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
