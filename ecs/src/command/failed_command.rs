//! Commands that came too late: the entity was gone when their turn came, or a rule refused what it was to have.

use alloc::boxed::Box;
use core::fmt;

use crate::base::warning;
use crate::entity::Entity;
use crate::error::Refused;
use crate::world::{World, WorldCell};

/// A command that was not carried out.
#[derive(Clone, Debug)]
pub struct FailedCommand {
    /// The entity that it was about.
    pub entity: Entity,
    /// What was asked for: `insert`, `try_insert`, `remove`, `despawn`, `relate`, `unrelate`; `spawn` and `spawn_prefab` if a
    /// rule refused it, or a slot was taken, which only code that exchanges parts of worlds can bring about.
    pub command: &'static str,
    /// The type of the bundle; empty for `despawn`. For people: how the compiler spells it.
    pub bundle: &'static str,
    /// The rule that refused it, if one did.
    pub refused: Option<Refused>,
    /// What was wrong with a prefab, in words that name the entity in it.
    pub prefab: Option<Box<str>>,
    /// The system that gave the command.
    pub system: &'static str,
    /// The world.
    pub world: &'static str,
}

impl fmt::Display for FailedCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, command, system, world, refused, prefab, .. } = self;
        if let Some(prefab) = prefab {
            return write!(f, "world `{world}`: `{command}` of system `{system}`: {prefab}");
        }
        if let Some(refused) = refused {
            return write!(f, "world `{world}`: `{command}` of system `{system}`: {refused}");
        }
        let why = match *command {
            "try_insert" => "is gone or has a component of the bundle by now",
            "spawn" | "spawn_prefab" => "has a slot that is taken",
            _ => "is gone by now",
        };
        write!(f, "world `{world}`: `{command}` of system `{system}`: entity {entity} {why}")
    }
}

/// What a world does when a command comes too late. In any case it is counted.
#[derive(Clone, Copy, Default, Debug)]
pub enum FailurePolicy {
    /// Says so on the standard error; with the feature `trace`, as a warning of the `tracing` crate. Without the
    /// features `std` and `trace` there is nowhere to say it, and it is only counted.
    #[default]
    Log,
    /// Only counts it.
    Ignore,
    /// Panics. The commands that wait are dropped.
    Panic,
    /// Calls this function.
    Call(fn(&FailedCommand)),
}

/// What a world keeps about them.
#[derive(Clone, Default, Debug)]
pub(crate) struct FailedCommands {
    pub(crate) on: FailurePolicy,
    pub(crate) count: u64,
}

impl FailedCommands {
    /// None yet.
    pub(crate) const fn new() -> Self {
        Self { on: FailurePolicy::Log, count: 0 }
    }
}

/// Who gave a command.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    pub(crate) system: &'static str,
}

#[cold]
#[inline(never)]
pub(crate) fn report<W: World>(
    world: &mut W,
    entity: Entity,
    command: &'static str,
    bundle: &'static str,
    refused: Option<Refused>,
    origin: Origin,
) {
    handle(
        world,
        FailedCommand {
            entity,
            command,
            bundle,
            refused,
            prefab: None,
            system: origin.system,
            world: W::NAME,
        },
    );
}

/// Counts a command that was not carried out, and does what the world does then.
pub(super) fn handle<W: World>(world: &mut W, stray: FailedCommand) {
    let on = {
        #[expect(unsafe_code, reason = "the world is borrowed mutably")]
        // SAFETY: the world is borrowed mutably, and the borrow of its places ends with the block.
        let failed_commands = &mut unsafe { WorldCell::new(world).schedule_states_mut() }.failed_commands;
        failed_commands.count += 1;
        failed_commands.on
    };
    match on {
        FailurePolicy::Log => warning::warn(format_args!("{stray}")),
        FailurePolicy::Ignore => {}
        FailurePolicy::Panic => panic!("{stray}"),
        FailurePolicy::Call(call) => call(&stray),
    }
}
