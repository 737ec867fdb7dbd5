//! Failed commands: the entity no longer existed when the command was applied, or a component rule
//! refused the value.

use alloc::boxed::Box;
use core::cell::Cell;
use core::fmt;

use crate::base::warning;
use crate::entity::Entity;
use crate::entity::reserved_slots::Reservation;
use crate::error::Refused;
use crate::raw_world::RawWorld;
use crate::schedule::states;

/// A command that could not be applied: the report that a [`FailurePolicy`] handles.
///
/// Its `Display` implementation names the world, the system, the command, the entity and the
/// reason.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::command::{FailedCommand, FailurePolicy};
///
/// #[derive(Component)] struct Health(u32);
/// world! { struct Game { components { Health } } schedule tick { first, second; } }
///
/// #[system(Game)]
/// fn first(all: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
///     all.iter().for_each(|(entity, _)| commands.despawn(entity));
/// }
/// #[system(Game)]
/// fn second(all: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
///     all.iter().for_each(|(entity, _)| commands.despawn(entity));
/// }
///
/// fn check(failed: &FailedCommand) {
///     assert_eq!((failed.command, failed.system, failed.world), ("despawn", "second", "Game"));
/// }
///
/// let mut game = Game::new();
/// game.on_failed_command(FailurePolicy::Call(check));
/// game.spawn(Health(1));
/// game.tick();
/// assert_eq!(game.stats().failed_commands, 1);
/// ```
#[derive(Clone, Debug)]
pub struct FailedCommand {
    /// The entity that the command was to change.
    pub entity: Entity,
    /// The name of the method: `insert`, `insert_if_new`, `remove`, `despawn`, `relate` or
    /// `unrelate`. Also `spawn` or `spawn_prefab`, if a component rule refused a value, or if an
    /// earlier command has replaced the world in which the id was reserved.
    pub command: &'static str,
    /// The type name of the bundle, for log messages: its spelling is not stable. Empty for
    /// `despawn`.
    pub bundle: &'static str,
    /// The refusal, if a component rule refused the value.
    pub refused: Option<Refused>,
    /// The error of a prefab that could not be spawned, with the name of the entity in the prefab.
    pub prefab: Option<Box<str>>,
    /// The system that gave the command. Empty for a command of
    /// [`with_commands`](crate::World::with_commands).
    pub system: &'static str,
    /// The name of the world.
    pub world: &'static str,
}

impl fmt::Display for FailedCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, command, system, world, refused, prefab, .. } = self;
        write!(f, "world `{world}`: `{command}`")?;
        if !system.is_empty() {
            write!(f, " of system `{system}`")?;
        }
        if let Some(prefab) = prefab {
            return write!(f, ": {prefab}");
        }
        if let Some(refused) = refused {
            return write!(f, ": {refused}");
        }
        let why = match *command {
            "insert_if_new" => "no longer exists, or has a component of the bundle already",
            "spawn" | "spawn_prefab" => {
                "was not spawned, because an earlier command has replaced the world that had reserved its id"
            }
            "despawn" => "no longer exists; `despawn_if_alive` accepts that",
            _ => "no longer exists",
        };
        write!(f, ": entity {entity} {why}")
    }
}

/// The reaction of a world to a [`FailedCommand`]: see
/// [`World::on_failed_command`](crate::World::on_failed_command).
///
/// With every policy, failed commands are counted in
/// [`Stats::failed_commands`](crate::world::Stats::failed_commands).
#[derive(Clone, Copy, Default, Debug)]
pub enum FailurePolicy {
    /// Prints the failed command to the standard error; with the feature `trace`, logs it as a
    /// warning of the `tracing` crate. Without the features `std` and `trace`, the command is only
    /// counted.
    #[default]
    Log,
    /// Only counts the command.
    Ignore,
    /// Panics with the message of the failed command. The commands that were not applied yet are
    /// dropped.
    Panic,
    /// Calls the function.
    Call(fn(&FailedCommand)),
}

/// A world's policy for failed commands, and their number.
#[derive(Clone, Default, Debug)]
pub(crate) struct FailedCommands {
    pub(crate) policy: FailurePolicy,
    pub(crate) count: u64,
}

impl FailedCommands {
    /// The default policy, and no failed commands.
    pub(crate) const fn new() -> Self {
        Self { policy: FailurePolicy::Log, count: 0 }
    }
}

/// The queue of a command that is being applied.
pub(crate) struct Origin {
    /// The system that gave the command. Empty for a command of
    /// [`with_commands`](crate::World::with_commands).
    pub(crate) system: &'static str,
    /// The reservation of the ids that the queue spawns.
    reservation: Reservation,
    /// Whether a command has replaced the world, so that the ids which the queue has reserved are
    /// those of another world.
    replaced: Cell<bool>,
    /// The entity of the command, if its id was reserved in a world that was replaced. The command
    /// gets [`NO_ENTITY`](super::queue::NO_ENTITY) in its place: the world may have another entity
    /// with this id.
    pub(super) lost: Cell<Option<Entity>>,
}

impl Origin {
    pub(super) fn new<W: RawWorld>(system: &'static str, reservation: Reservation, world: &W) -> Self {
        let origin = Self { system, reservation, replaced: Cell::new(false), lost: Cell::new(None) };
        origin.check_world(world);
        origin
    }

    /// Notes whether the world was replaced. To be called after each call of a function that gets
    /// the whole world.
    pub(super) fn check_world<W: RawWorld>(&self, world: &W) {
        if !world.__living().knows(self.reservation) {
            self.replaced.set(true);
        }
    }

    pub(super) fn is_replaced(&self) -> bool {
        self.replaced.get()
    }

    /// The entity of the command, if its id was reserved in a world that was replaced.
    pub(crate) fn lost(&self) -> Option<Entity> {
        self.lost.get()
    }
}

/// Counts a failed command of one entity, and reacts according to the world's policy.
#[cold]
#[inline(never)]
pub(crate) fn report<W: RawWorld>(
    world: &mut W,
    entity: Entity,
    command: &'static str,
    bundle: &'static str,
    refused: Option<Refused>,
    origin: &Origin,
) {
    handle(
        world,
        FailedCommand {
            entity: origin.lost().unwrap_or(entity),
            command,
            bundle,
            refused,
            prefab: None,
            system: origin.system,
            world: W::WORLD_NAME,
        },
    );
}

/// Counts a failed command, and reacts according to the world's policy.
pub(crate) fn handle<W: RawWorld>(world: &mut W, failed: FailedCommand) {
    let policy = {
        let failed_commands = &mut states::of_mut(world).failed_commands;
        failed_commands.count += 1;
        failed_commands.policy
    };
    match policy {
        FailurePolicy::Log => warning::warn(format_args!("{failed}")),
        FailurePolicy::Ignore => {}
        FailurePolicy::Panic => panic!("{failed}"),
        FailurePolicy::Call(call) => call(&failed),
    }
}
