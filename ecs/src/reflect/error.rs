//! [`ReflectError`].

use alloc::string::String;
use core::error::Error;
use core::fmt;

use crate::entity::Entity;
use crate::error::{NoSuchEntity, Refused};

/// A failed call of a world by names. The world is unchanged, unless a system has failed:
/// [`Failed`](Self::Failed).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReflectError {
    /// The entity is not alive.
    NoSuchEntity(NoSuchEntity),
    /// The world has nothing of this name, or hides it.
    UnknownName {
        /// The kind of thing.
        kind: NameKind,
        /// The name.
        name: String,
        /// The most similar name.
        nearest: Option<&'static str>,
        /// The name of the world.
        world: &'static str,
    },
    /// The entity does not have the component.
    Missing {
        /// The entity.
        entity: Entity,
        /// The name of the component.
        component: &'static str,
    },
    /// A value is not one of its type.
    Value {
        /// The entity; `None` for a new entity, a resource or an event.
        entity: Option<Entity>,
        /// The name of the component, resource or event, and the path in its value, as in
        /// `Health.now`.
        path: String,
        /// The mistake, and the type that was expected.
        reason: String,
    },
    /// A path does not lead to a part of the value.
    Path {
        /// The entity; `None` for a resource.
        entity: Option<Entity>,
        /// The path up to the step that leads nowhere.
        path: String,
        /// The mistake, and the steps that are possible.
        reason: String,
    },
    /// A rule of a component refuses the value.
    Refused(Refused),
    /// A rule refuses the value for a reason that names a hidden component.
    RefusedByHidden {
        /// The entity; `None` for a new entity.
        entity: Option<Entity>,
        /// The name of the component.
        component: &'static str,
    },
    /// The entity already has a component of the aspect.
    Present {
        /// The entity.
        entity: Entity,
        /// The name of the component.
        component: &'static str,
    },
    /// The world has no such prefab, or the prefab no such entity.
    InvalidPrefab {
        /// The name of the prefab.
        prefab: String,
        /// The mistake.
        reason: String,
    },
    /// A component occurs twice in one call.
    Twice {
        /// The name of the component.
        component: &'static str,
    },
    /// Two components of one call exclude each other.
    Excludes {
        /// The name of one component.
        component: &'static str,
        /// The name of the other.
        other: &'static str,
    },
    /// The handle is for reading only: see [`AllowList::read_only`](super::AllowList::read_only).
    ReadOnly,
    /// A system of a schedule has returned an error. The schedule has ended at this system.
    Failed {
        /// The name of the schedule; empty if the system was run by itself.
        schedule: String,
        /// The error, with the name of the system.
        reason: String,
    },
    /// The schedule, or a schedule that it contains, is running: an exclusive system of it has made
    /// this call.
    Running {
        /// The name of the schedule that is running.
        schedule: String,
    },
    /// The text of a query has a mistake.
    InvalidQuery {
        /// The position of the mistake, in bytes.
        at: usize,
        /// The mistake, and what is possible at this position.
        reason: String,
    },
}

/// The kinds of names of a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NameKind {
    /// The components.
    Components,
    /// The resources.
    Resources,
    /// The events.
    Events,
    /// The systems.
    Systems,
    /// The schedules.
    Schedules,
    /// The systems in conditions.
    Conditions,
    /// The aspects that have names.
    Aspects,
}

impl NameKind {
    /// Whether a name of this kind is that of a type of values.
    pub(super) const fn has_values(self) -> bool {
        matches!(self, Self::Components | Self::Resources | Self::Events)
    }

    const fn noun(self) -> &'static str {
        match self {
            Self::Components => "component",
            Self::Resources => "resource",
            Self::Events => "event",
            Self::Systems => "system",
            Self::Schedules => "schedule",
            Self::Conditions => "condition",
            Self::Aspects => "aspect",
        }
    }
}

impl fmt::Display for NameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.noun())
    }
}

impl fmt::Display for ReflectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |f: &mut fmt::Formatter<'_>, entity: &Option<Entity>| match entity {
            Some(entity) => write!(f, " of entity {entity}"),
            None => Ok(()),
        };
        match self {
            Self::NoSuchEntity(error) => error.fmt(f),
            Self::UnknownName { kind, name, nearest, world } => {
                write!(f, "world `{world}` has no {kind} `{name}`")?;
                match nearest {
                    Some(nearest) => write!(f, ": did you mean `{nearest}`?"),
                    None => Ok(()),
                }
            }
            Self::Missing { entity, component } => {
                write!(f, "entity {entity} has no component `{component}`")
            }
            Self::Present { entity, component } => {
                write!(f, "entity {entity} already has component `{component}`")
            }
            Self::Value { entity, path, reason } | Self::Path { entity, path, reason } => {
                write!(f, "`{path}`")?;
                of(f, entity)?;
                write!(f, ": {reason}")
            }
            Self::Refused(refused) => refused.fmt(f),
            Self::RefusedByHidden { entity, component } => {
                write!(f, "component `{component}`")?;
                of(f, entity)?;
                f.write_str(": a rule refuses the value")
            }
            Self::Twice { component } => write!(f, "component `{component}` occurs twice: name it once"),
            Self::Excludes { component, other } => {
                write!(f, "components `{component}` and `{other}` exclude each other: leave one out")
            }
            Self::InvalidPrefab { prefab, reason } => write!(f, "prefab `{prefab}`: {reason}"),
            Self::ReadOnly => f.write_str("the world was not changed: this handle is read-only"),
            Self::Failed { schedule, reason } if schedule.is_empty() => f.write_str(reason),
            Self::Failed { schedule, reason } => write!(f, "schedule `{schedule}`: {reason}"),
            Self::Running { schedule } => {
                write!(f, "schedule `{schedule}` is running, and cannot be run from inside itself")
            }
            Self::InvalidQuery { at, reason } => write!(f, "query, position {at}: {reason}"),
        }
    }
}

impl Error for ReflectError {}

impl From<NoSuchEntity> for ReflectError {
    fn from(error: NoSuchEntity) -> Self {
        Self::NoSuchEntity(error)
    }
}
