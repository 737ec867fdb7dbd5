//! What can go wrong with data: small types that name entity, component and world.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use crate::entity::Entity;

/// The entity does not live in this world: it was despawned, or belongs to another world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchEntity {
    /// The id.
    pub entity: Entity,
    /// The world that was asked.
    pub world: &'static str,
}

/// The entity does not live, or lacks the component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingError {
    /// It does not live.
    NoSuchEntity(NoSuchEntity),
    /// It lacks the component.
    Missing {
        /// The id.
        entity: Entity,
        /// The component.
        component: &'static str,
        /// The world that was asked.
        world: &'static str,
    },
}

/// A rule of a component refused a value. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused {
    /// Who was to have it; `None` if that was to be a new entity.
    pub entity: Option<Entity>,
    /// The component.
    pub component: &'static str,
    /// The world.
    pub world: &'static str,
    /// Why.
    pub reason: Reason,
}

/// Why a rule of a component refuses a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The component is unique, and this entity has it.
    HeldBy(Entity),
    /// The relation points to this entity, which does not live.
    NoSuchTarget(Entity),
    /// The relation points back to its own entity.
    Itself,
    /// The relation leads from this target back to its own entity.
    Cycle(Entity),
    /// The component is a key, and this entity has an equal one.
    Duplicate(Entity),
    /// The entity has this component, and the two exclude each other.
    Excluded(&'static str),
}

/// A rule refuses a component to a verb that has no other way to say so.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn refuse(refused: Refused) -> ! {
    panic!("{refused}")
}

/// Components were not given to an entity. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsertError {
    /// It does not live.
    NoSuchEntity(NoSuchEntity),
    /// A rule of a component refuses the value.
    Refused(Refused),
}

/// The entity does not live, or has the component already, or may not have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PresentError {
    /// It does not live.
    NoSuchEntity(NoSuchEntity),
    /// A rule of a component refuses the value.
    Refused(Refused),
    /// It has the component.
    Present {
        /// The id.
        entity: Entity,
        /// The component.
        component: &'static str,
        /// The world that was asked.
        world: &'static str,
    },
}

/// The entity does not live, or has none of the alternatives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoneOfError {
    /// It does not live.
    NoSuchEntity(NoSuchEntity),
    /// It has all of none of them.
    NoneOf {
        /// The id.
        entity: Entity,
        /// The enum.
        meta: &'static str,
        /// What its variants hold, in order.
        alternatives: &'static [&'static str],
        /// The world that was asked.
        world: &'static str,
    },
}

/// A system of a schedule failed. Nothing after it in the schedule has run.
#[derive(Debug)]
pub struct SystemError {
    /// The system.
    pub system: &'static str,
    /// The schedule.
    pub schedule: &'static str,
    /// The world.
    pub world: &'static str,
    /// What the system returned.
    pub source: Box<dyn Error + Send + Sync>,
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { system, schedule, world, source } = self;
        write!(f, "system `{system}` of schedule `{schedule}` of world `{world}` failed: {source}")
    }
}

impl Error for SystemError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.source)
    }
}

/// The systems of a `react` block have run as often as they may, and there is still something new to react to. The source
/// of a [`SystemError`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsettled {
    /// The systems that have not seen all.
    pub systems: Vec<&'static str>,
    /// How often they have run.
    pub most: u32,
}

impl Unsettled {
    /// As the error of a schedule.
    pub(crate) fn in_schedule(self, schedule: &'static str, world: &'static str) -> SystemError {
        SystemError { system: self.systems[0], schedule, world, source: self.into() }
    }
}

impl fmt::Display for Unsettled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its `react` block has run {} times and has not settled: ", self.most)?;
        for (at, system) in self.systems.iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            write!(f, "{comma}`{system}`")?;
        }
        f.write_str(" have still something new to react to; raise `max`, or end the circle")
    }
}

impl Error for Unsettled {}

/// A system was not added to a [`Schedule`](crate::Schedule).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScheduleError {
    /// It is there already; `add_again` adds it once more.
    Present {
        /// The system.
        system: &'static str,
        /// The schedule.
        schedule: &'static str,
        /// The world.
        world: &'static str,
    },
    /// The parameters of a closure cannot be held at once, or one of them can never match: in the words in which
    /// `cargo check` says it of a system.
    Clash(String),
    /// The schedule's systems were added for another world of the same type, or for another state of this one.
    OtherWorld {
        /// The schedule.
        schedule: &'static str,
        /// The world.
        world: &'static str,
    },
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Present { system, schedule, world } => write!(
                f,
                "system `{system}` is in schedule `{schedule}` of world `{world}` already; `add_again` adds it once more"
            ),
            Self::Clash(text) => f.write_str(text),
            Self::OtherWorld { schedule, world } => write!(
                f,
                "schedule `{schedule}` remembers another world `{world}` than this one, or another state of it; a \
                 schedule stays with its world, and is cloned when the world is cloned"
            ),
        }
    }
}

impl Error for ScheduleError {}

/// A query was asked for several entities at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GetManyError {
    /// The same entity was asked for twice.
    Twice(Entity),
    /// The entity is gone or does not match the query.
    NoMatch(Entity),
}

/// A query was asked for its only entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SingleError {
    /// No entity matches.
    None,
    /// More than one entity matches.
    Many,
}

impl From<NoSuchEntity> for MissingError {
    fn from(error: NoSuchEntity) -> Self {
        Self::NoSuchEntity(error)
    }
}

impl From<NoSuchEntity> for InsertError {
    fn from(error: NoSuchEntity) -> Self {
        Self::NoSuchEntity(error)
    }
}

impl From<NoSuchEntity> for NoneOfError {
    fn from(error: NoSuchEntity) -> Self {
        Self::NoSuchEntity(error)
    }
}

impl From<Refused> for InsertError {
    fn from(error: Refused) -> Self {
        Self::Refused(error)
    }
}

impl From<InsertError> for PresentError {
    fn from(error: InsertError) -> Self {
        match error {
            InsertError::NoSuchEntity(error) => Self::NoSuchEntity(error),
            InsertError::Refused(error) => Self::Refused(error),
        }
    }
}

impl From<NoSuchEntity> for PresentError {
    fn from(error: NoSuchEntity) -> Self {
        Self::NoSuchEntity(error)
    }
}

impl fmt::Display for NoSuchEntity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no entity {:#} lives in world `{}`", self.entity, self.world)
    }
}

impl fmt::Display for MissingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(error) => error.fmt(f),
            Self::Missing { entity, component, world } => {
                write!(f, "entity {entity} of world `{world}` has no component `{component}`")
            }
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, component, world, reason } = self;
        match entity {
            Some(entity) => {
                write!(f, "entity {entity} of world `{world}` cannot have component `{component}`: ")?
            }
            None => write!(f, "a new entity of world `{world}` cannot have component `{component}`: ")?,
        }
        reason.fmt(f)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HeldBy(holder) => write!(f, "it is unique, and entity {holder} has it"),
            Self::NoSuchTarget(target) => write!(f, "its target {target:#} does not live"),
            Self::Itself => f.write_str("an entity is not related to itself"),
            Self::Cycle(target) => {
                write!(
                    f,
                    "its target {target} is related to the entity already, and it must not form a cycle"
                )
            }
            Self::Excluded(other) => write!(f, "it has `{other}`, and the two exclude each other"),
            Self::Duplicate(holder) => write!(f, "it is a key, and entity {holder} has an equal one"),
        }
    }
}

impl fmt::Display for InsertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(error) => error.fmt(f),
            Self::Refused(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for NoneOfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(error) => error.fmt(f),
            Self::NoneOf { entity, meta, alternatives, world } => {
                write!(f, "entity {entity} of world `{world}` has none of the alternatives of `{meta}`:")?;
                for (at, alternative) in alternatives.iter().enumerate() {
                    let comma = if at > 0 { "," } else { "" };
                    write!(f, "{comma} `{alternative}`")?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for PresentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(error) => error.fmt(f),
            Self::Refused(error) => error.fmt(f),
            Self::Present { entity, component, world } => {
                write!(f, "entity {entity} of world `{world}` already has component `{component}`")
            }
        }
    }
}

impl fmt::Display for GetManyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Twice(entity) => write!(f, "entity {entity} was asked for twice"),
            Self::NoMatch(entity) => write!(f, "entity {entity} is gone or does not match the query"),
        }
    }
}

impl fmt::Display for SingleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "no entity matches the query",
            Self::Many => "more than one entity matches the query",
        })
    }
}

impl core::error::Error for NoSuchEntity {}
impl core::error::Error for Refused {}
impl core::error::Error for InsertError {}
impl core::error::Error for MissingError {}
impl core::error::Error for NoneOfError {}
impl core::error::Error for PresentError {}
impl core::error::Error for GetManyError {}
impl core::error::Error for SingleError {}
