//! Error types for failures that depend on data.
//!
//! The error of a call that names an entity has its id, the world and, where one is concerned, the
//! component: [`NoSuchEntity`], [`MissingError`], [`InsertError`], [`PresentError`],
//! [`NoneOfError`]. [`SystemError`] has the names of the system, its schedule and its world. Errors
//! of queries name neither the query nor the world: [`GetManyError`] has the entity, and
//! [`SingleError`] only says whether no entity or more than one matches.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use crate::base::tick::Tick;
use crate::entity::Entity;
use crate::entity::mark::{WorldEntity, WorldMark};

/// The entity is not alive in this world: it was despawned, or its id belongs to another world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchEntity {
    /// The id of the missing entity.
    pub entity: Entity,
    /// The name of the world in which the entity was looked up.
    pub world: &'static str,
}

/// The entity is not alive, or lacks the component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingError {
    /// The entity is not alive.
    NoSuchEntity(NoSuchEntity),
    /// The entity lacks the component.
    Missing {
        /// The id of the entity.
        entity: Entity,
        /// The name of the component.
        component: &'static str,
        /// The name of the world.
        world: &'static str,
    },
}

/// A rule of a component refused a value. The world is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The entity that should get the value; `None` for an entity that was about to be spawned.
    pub entity: Option<Entity>,
    /// The name of the component.
    pub component: &'static str,
    /// The name of the world.
    pub world: &'static str,
    /// The rule that the value breaks.
    pub reason: Reason,
}

/// The reason for which a rule of a component refuses a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The component is unique, and this entity already has it.
    HeldBy(Entity),
    /// The relation points to this entity, which is not alive.
    NoSuchTarget(Entity),
    /// The relation points back to its own entity.
    Itself,
    /// The relation leads from this target back to its own entity.
    Cycle(Entity),
    /// The relation points to this entity, which lacks this component: see the option `target` of
    /// [`Relation`](macro@crate::Relation).
    TargetLacks(Entity, &'static str),
    /// The component is a key, and this entity already has an equal value.
    Duplicate(Entity),
    /// The entity has this component, and the two exclude each other.
    Excluded(&'static str),
    /// The hook of the component refuses the value, for this reason: see
    /// [`ComponentHook`](crate::component::ComponentHook).
    Invalid(&'static str),
}

/// Panics with the reason for which a rule refuses a component, for methods that return no
/// `Result`.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn refuse(refused: Refused) -> ! {
    panic!("{refused}")
}

/// The components could not be inserted. The world is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsertError {
    /// The entity is not alive.
    NoSuchEntity(NoSuchEntity),
    /// A rule of a component refuses the value.
    Refused(Refused),
}

/// The entity is not alive, already has the component, or must not have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PresentError {
    /// The entity is not alive.
    NoSuchEntity(NoSuchEntity),
    /// A rule of a component refuses the value.
    Refused(Refused),
    /// The entity already has the component.
    Present {
        /// The id of the entity.
        entity: Entity,
        /// The name of the component.
        component: &'static str,
        /// The name of the world.
        world: &'static str,
    },
}

/// The entity is not alive, or has none of the alternatives of a `MetaAspect`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoneOfError {
    /// The entity is not alive.
    NoSuchEntity(NoSuchEntity),
    /// No alternative is complete: of each of them, the entity lacks a component.
    NoneOf {
        /// The id of the entity.
        entity: Entity,
        /// The name of the enum.
        meta: &'static str,
        /// The types that its variants hold, in order.
        alternatives: &'static [&'static str],
        /// The name of the world.
        world: &'static str,
    },
}

/// A system of a schedule failed. No system after it in the schedule has run.
#[derive(Debug)]
pub struct SystemError {
    /// The name of the system.
    pub system: &'static str,
    /// The name of the schedule.
    pub schedule: &'static str,
    /// The name of the world.
    pub world: &'static str,
    /// The error that the system returned.
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

/// The systems of a `react` block have run as often as its `max` allows, and still have unread
/// changes. The source of a [`SystemError`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsettled {
    /// The names of the systems that still have unread changes.
    pub systems: Vec<&'static str>,
    /// The number of times that the block has run.
    pub most: u32,
}

impl Unsettled {
    /// Wraps this into the error of a schedule.
    pub(crate) fn in_schedule(self, schedule: &'static str, world: &'static str) -> SystemError {
        SystemError { system: self.systems[0], schedule, world, source: self.into() }
    }
}

/// Writes the names, in backquotes and with commas between them.
fn write_names(f: &mut fmt::Formatter<'_>, names: &[&str]) -> fmt::Result {
    names.iter().enumerate().try_for_each(|(at, name)| {
        let comma = if at > 0 { ", " } else { "" };
        write!(f, "{comma}`{name}`")
    })
}

error!(Unsettled, |this, f| {
    write!(f, "its `react` block has run {} times, and there are still unread changes for ", this.most)?;
    write_names(f, &this.systems)?;
    f.write_str("; raise `max`, or remove the cycle in which these systems cause each other to run")
});

/// The observers have run for as many rounds as their `max` allows at one place, and triggers still
/// wait. The source of a [`SystemError`]. The triggers are not lost: they wait for the next place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsettledObservers {
    /// The names of the observers for which triggers wait.
    pub observers: Vec<&'static str>,
    /// The number of rounds.
    pub most: u32,
}

impl UnsettledObservers {
    /// Wraps this into the error of a schedule.
    pub(crate) fn in_world(self, schedule: &'static str, world: &'static str) -> SystemError {
        SystemError { system: self.observers[0], schedule, world, source: self.into() }
    }
}

error!(UnsettledObservers, |this, f| {
    write!(f, "the observers have run {} rounds at one place, and triggers still wait for ", this.most)?;
    write_names(f, &this.observers)?;
    f.write_str("; raise `max`, or remove the cycle in which these observers trigger each other")
});

/// A system was not added to a [`Schedule`](crate::Schedule).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScheduleError {
    /// The schedule already has the system; `add_again` adds it once more.
    Present {
        /// The name of the system.
        system: &'static str,
        /// The name of the schedule.
        schedule: &'static str,
        /// The name of the world.
        world: &'static str,
    },
    /// The parameters of a closure cannot be borrowed at the same time, or one of them can never
    /// match. The text is the error that `cargo check` gives for a system with these parameters.
    Clash(String),
    /// The states of the schedule's systems belong to another world of the same type, or to another
    /// state of this world.
    OtherWorld {
        /// The name of the schedule.
        schedule: &'static str,
        /// The name of the world.
        world: &'static str,
    },
}

error!(ScheduleError, |this, f| match this {
    Self::Present { system, schedule, world } => write!(
        f,
        "system `{system}` is already in schedule `{schedule}` of world `{world}`; `add_again` adds it once more"
    ),
    Self::Clash(text) => f.write_str(text),
    Self::OtherWorld { schedule, world } => write!(
        f,
        "schedule `{schedule}` belongs to another world of type `{world}`, or to another state of this one; use a \
         schedule with one world only, and clone it whenever you clone or snapshot that world"
    ),
});

/// A query cannot borrow all of the requested entities at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GetManyError {
    /// The same entity was requested twice.
    Twice(Entity),
    /// The entity is not alive, or does not match the query.
    NoMatch(Entity),
}

/// A query does not match exactly one entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SingleError {
    /// No entity matches.
    NoEntity,
    /// More than one entity matches.
    SeveralEntities,
}

/// `From` of the errors that are variants of another one.
macro_rules! variants {
    ($($error:ident: $($variant:ident)*;)*) => {$($(
        impl From<$variant> for $error {
            #[cfg_attr(not(debug_assertions), inline)]
            fn from(error: $variant) -> Self {
                Self::$variant(error)
            }
        }
    )*)*};
}

variants! {
    MissingError: NoSuchEntity;
    InsertError: NoSuchEntity Refused;
    PresentError: NoSuchEntity Refused;
    NoneOfError: NoSuchEntity;
}

impl From<InsertError> for PresentError {
    #[cfg_attr(not(debug_assertions), inline)]
    fn from(error: InsertError) -> Self {
        match error {
            InsertError::NoSuchEntity(error) => error.into(),
            InsertError::Refused(error) => error.into(),
        }
    }
}

error!(NoSuchEntity, |this, f| write!(
    f,
    "entity {:#} is not alive in world `{}`: it was despawned, or its id belongs to another world",
    this.entity, this.world
));

error!(MissingError, |this, f| match this {
    Self::NoSuchEntity(error) => error.fmt(f),
    Self::Missing { entity, component, world } => {
        write!(f, "entity {entity} of world `{world}` has no component `{component}`")
    }
});

error!(Refused, |this, f| {
    let Self { entity, component, world, reason } = this;
    match entity {
        Some(entity) => {
            write!(f, "entity {entity} of world `{world}` cannot have component `{component}`: ")?
        }
        None => write!(f, "a new entity of world `{world}` cannot have component `{component}`: ")?,
    }
    reason.fmt(f)
});

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HeldBy(holder) => {
                write!(
                    f,
                    "the component is unique, and entity {holder} already has it; remove it there first"
                )
            }
            Self::NoSuchTarget(target) => write!(f, "its target {target:#} is not alive"),
            Self::Itself => f.write_str("an entity cannot be related to itself; choose another target"),
            Self::Cycle(target) => {
                write!(
                    f,
                    "its target {target} already leads back to the entity, and the relation must not form a cycle"
                )
            }
            Self::TargetLacks(target, component) => {
                write!(f, "its target {target} has no `{component}`, which every target of the relation has")
            }
            Self::Excluded(other) => {
                write!(f, "the entity has `{other}`, and the two exclude each other; remove `{other}` first")
            }
            Self::Invalid(reason) => f.write_str(reason),
            Self::Duplicate(holder) => {
                write!(f, "the component is a key, and entity {holder} already has an equal value")
            }
        }
    }
}

error!(InsertError, |this, f| match this {
    Self::NoSuchEntity(error) => error.fmt(f),
    Self::Refused(error) => error.fmt(f),
});

error!(NoneOfError, |this, f| match this {
    Self::NoSuchEntity(error) => error.fmt(f),
    Self::NoneOf { entity, meta, alternatives, world } => {
        write!(f, "entity {entity} of world `{world}` has none of the alternatives of `{meta}`: ")?;
        write_names(f, alternatives)
    }
});

error!(PresentError, |this, f| match this {
    Self::NoSuchEntity(error) => error.fmt(f),
    Self::Refused(error) => error.fmt(f),
    Self::Present { entity, component, world } => {
        write!(f, "entity {entity} of world `{world}` already has component `{component}`")
    }
});

error!(GetManyError, |this, f| match this {
    Self::Twice(entity) => {
        write!(f, "entity {entity} was requested twice; each entity can be borrowed once")
    }
    Self::NoMatch(entity) => write!(f, "entity {entity} is not alive, or does not match the query"),
});

error!(SingleError, |this, f| {
    f.write_str(match this {
        Self::NoEntity => "no entity matches the query",
        Self::SeveralEntities => "more than one entity matches the query",
    })
});

/// The journal of a world does not have all changes since a tick: see
/// [`ChangesSince::journal_since`](crate::query::ChangesSince::journal_since).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JournalGap {
    /// Changes after the tick were dropped, since the journal keeps a limited number, or the world
    /// was loaded since.
    Dropped {
        /// The tick that was asked for.
        asked: Tick,
        /// All changes after this tick are in the journal.
        complete_since: Tick,
    },
    /// The world has not reached the tick: it was restored to an earlier state since, or the tick
    /// is that of another world.
    NotReached {
        /// The tick that was asked for.
        asked: Tick,
        /// The tick of the world.
        now: Tick,
    },
}

error!(JournalGap, |this, f| match this {
    Self::Dropped { asked, complete_since } => write!(
        f,
        "the journal has dropped changes after tick {}: it is complete since tick {}; read all entities once, or keep more \
         changes with `#[world(journal = ..)]`",
        asked.to_bits(),
        complete_since.to_bits()
    ),
    Self::NotReached { asked, now } => write!(
        f,
        "tick {} is later than the world, which is at tick {}: it was restored since, or is another world; read all entities \
         once, and take a new tick",
        asked.to_bits(),
        now.to_bits()
    ),
});

/// The id belongs to another world of the same type: see [`WorldIds`](crate::world::WorldIds).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForeignEntity {
    /// The id.
    pub id: WorldEntity,
    /// The mark of the world in which the id was to be resolved.
    pub mark: WorldMark,
    /// The name of that world's type.
    pub world: &'static str,
}

error!(ForeignEntity, |this, f| {
    let Self { id, mark, world } = this;
    write!(f, "the id {} belongs to another world than this world `{world}`", id.unchecked_entity())?;
    match (id.mark().number(), mark.number()) {
        (None, None) => Ok(()),
        (theirs, ours) => {
            let number = |mark: Option<u32>| {
                mark.map_or_else(|| String::from("none"), |mark| alloc::format!("{mark}"))
            };
            write!(f, ": its mark is {}, that of this world {}", number(theirs), number(ours))
        }
    }
});

/// The reason why no entity can be spawned with an id: see
/// [`WorldIds::spawn_at`](crate::world::WorldIds::spawn_at).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IdConflict {
    /// The slot has this live entity. It may be the one with the id.
    Occupied(Entity),
    /// The id, or a later one of the same slot, was used before.
    Used,
    /// The slot is reserved for the commands of a system.
    ReservedByCommands,
    /// No world has so many slots.
    NoSuchSlot,
}

/// No entity was spawned with a chosen id. The world is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpawnAtError {
    /// The id cannot be used.
    Conflict {
        /// The id.
        entity: Entity,
        /// The reason.
        conflict: IdConflict,
        /// The name of the world.
        world: &'static str,
    },
    /// A rule of a component refuses the value.
    Refused(Refused),
}

error!(SpawnAtError, |this, f| {
    let (entity, conflict, world) = match this {
        Self::Refused(refused) => return refused.fmt(f),
        Self::Conflict { entity, conflict, world } => (entity, conflict, world),
    };
    write!(f, "world `{world}` cannot spawn an entity with the id {entity:#}: ")?;
    match conflict {
        IdConflict::Occupied(other) if other == entity => f.write_str("the entity is alive already"),
        IdConflict::Occupied(other) => write!(f, "entity {other:#} has its slot"),
        IdConflict::Used => f.write_str("it, or a later id of its slot, was used before"),
        IdConflict::ReservedByCommands => f.write_str(
            "its slot is reserved for the commands of a system; keep a range of ids with `reserve_ids` before schedules run",
        ),
        IdConflict::NoSuchSlot => f.write_str("its slot is beyond those of a world"),
    }
});

/// A range of ids could not be reserved: see
/// [`WorldIds::reserve_ids`](crate::world::WorldIds::reserve_ids). The world is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReserveIdsError {
    /// The world uses a block of 64 slots in the range for other entities.
    InUse {
        /// The first of the slots.
        slot: u32,
        /// The name of the world.
        world: &'static str,
    },
    /// The range ends beyond the slots of a world.
    NoSuchSlots {
        /// The name of the world.
        world: &'static str,
    },
}

error!(ReserveIdsError, |this, f| match this {
    Self::InUse { slot, world } => write!(
        f,
        "world `{world}` already spawns entities in the slots from {slot} on; reserve ids before entities are spawned"
    ),
    Self::NoSuchSlots { world } => {
        write!(f, "the range of ids ends beyond the slots of world `{world}`")
    }
});
