//! [`ParCommands`]: commands that the threads of a system marked `par` give at the same time.
//!
//! Each thread writes to queues of its own. When all entities are visited, the queues are appended
//! to the system's queue in the order of the slots, and the ids of spawned entities are reserved
//! then. So commands and ids do not depend on the threads.

use core::fmt;

use super::failed_command::Origin;
use super::queue::{self, BundleCommand, Command, CommandQueue, NO_ENTITY, SpawnSetOf};
use super::{CommandState, Commands, ParEntityCommands};
use crate::base::thread_safe::ThreadSafe;
use crate::bundle::Bundle;
use crate::entity::Entity;
use crate::event::SentTo;
use crate::raw_world::RawWorld;

/// System parameter: commands, as [`Commands`] gives them, that a system which is marked `par` can
/// give, too.
///
/// The commands of such a system are applied in the order of the slots of its entities, for any
/// number of threads; the ids of the entities that they spawn do not depend on the threads either.
/// Ids are assigned when all entities are visited, so [`spawn`](Self::spawn) returns none: use
/// [`spawn_then`](Self::spawn_then) to link the new entity to others.
///
/// ```
/// # use ecs::prelude::*;
/// # #[derive(Component)] struct Tree { age: u32 }
/// # #[derive(Component)] struct Seed;
/// # #[derive(Component, PartialEq, Debug)] struct Offspring(Entity);
/// # world! { struct Forest { components { Tree, Seed, Offspring } } schedule year { grow; } }
/// #[system(Forest, par)]
/// fn grow(entity: Entity, tree: &mut Tree, mut commands: ParCommands<Forest>) {
///     tree.age += 1;
///     match tree.age {
///         300.. => commands.despawn(entity),
///         100 => commands.spawn_then(Seed, move |forest, seed| {
///             forest.insert(entity, Offspring(seed)).ok();
///         }),
///         _ => {}
///     }
/// }
///
/// let mut forest = Forest::new();
/// let parent = forest.spawn(Tree { age: 99 });
/// let old = forest.spawn(Tree { age: 299 });
/// forest.year();
/// let seed = forest.query::<Entity>().filter::<With<Seed>>().single().unwrap();
/// assert_eq!(forest.get(parent), Some(&Offspring(seed)));
/// assert!(!forest.contains(old));
/// ```
pub struct ParCommands<'w, Game: RawWorld>(CommandTarget<'w, Game>);

/// The place where commands are written.
enum CommandTarget<'w, W: RawWorld> {
    /// The commands of the system.
    System(Commands<'w, W>),
    /// The commands for a run of entities. Spawned entities have no ids yet.
    Apart(&'w mut CommandQueue<W>),
}

impl<'w, W: RawWorld> ParCommands<'w, W> {
    /// Commands that are written to the queue of the system.
    #[inline(always)]
    pub(crate) const fn of(commands: Commands<'w, W>) -> Self {
        Self(CommandTarget::System(commands))
    }

    /// Commands that are written to a queue, to be [joined](Self::join).
    pub(crate) const fn apart(queue: &'w mut CommandQueue<W>) -> Self {
        Self(CommandTarget::Apart(queue))
    }

    /// Appends commands that were given apart.
    pub(crate) fn join(&mut self, apart: &mut CommandQueue<W>) {
        match &mut self.0 {
            CommandTarget::System(Commands { world, state }) => {
                let CommandState { queue, reserved, .. } = &mut **state;
                queue.append(apart, |set| reserved.reserve(world.entities(), set));
            }
            CommandTarget::Apart(queue) => queue.append(apart, |_| NO_ENTITY),
        }
    }

    pub(crate) fn queue(&mut self) -> &mut CommandQueue<W> {
        match &mut self.0 {
            CommandTarget::System(commands) => &mut commands.state.queue,
            CommandTarget::Apart(queue) => queue,
        }
    }

    pub(crate) fn push_spawn<B: Bundle<W>>(&mut self, command: impl Command<W>) {
        match &mut self.0 {
            CommandTarget::System(Commands { world, state }) => {
                let set = const { SpawnSetOf::<W, B::BundleComponents>::SET };
                let entity = state.reserved.reserve(world.entities(), set);
                state.queue.push(entity, command);
            }
            CommandTarget::Apart(queue) => queue.push(NO_ENTITY, command),
        }
    }

    /// Spawns an entity with the components of a bundle and the components that they require.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn spawn<B: Bundle<W>>(&mut self, bundle: B) // `spawn((A, B))`; no id: `spawn_then`
    {
        self.push_spawn::<B>(queue::Spawn(BundleCommand::new(bundle), queue::nothing));
    }

    /// Spawns an entity as [`spawn`](Self::spawn) does, and then calls `then` with the world and
    /// the entity. If a rule of a component refuses the entity, `then` is not called.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn spawn_then<B: Bundle<W>>(
        &mut self,
        bundle: B,
        then: impl FnOnce(&mut W, Entity) + Send + Sync + 'static,
    ) {
        let then = |world: &mut W, entity, origin: &Origin| {
            queue::RunClosure(|world: &mut W| then(world, entity)).call(world, origin);
        };
        self.push_spawn::<B>(queue::Spawn(BundleCommand::new(bundle), then));
    }

    /// Spawns an entity for each bundle, in their order.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn spawn_batch<B: Bundle<W>>(&mut self, bundles: impl IntoIterator<Item = B>)
    // `spawn_batch(vec![(A, B), (A, B)])`
    {
        for bundle in bundles {
            self.spawn(bundle);
        }
    }

    /// Sends an event when the stage ends: see [`Commands::send`].
    pub fn send<E: SentTo<W> + ThreadSafe>(&mut self, event: E) {
        self.queue().push(NO_ENTITY, queue::SendEvent(event));
    }

    /// The commands for one entity, which is named once: see [`Commands::entity`].
    #[rustfmt::skip]
    pub fn entity(&mut self, entity: Entity) -> ParEntityCommands<'_, W> // no id of `spawn`: `spawn_then`
    {
        ParEntityCommands::new(self.reborrow(), entity)
    }

    /// See [`Commands::despawn`].
    #[rustfmt::skip]
    pub fn despawn(&mut self, entity: Entity) // no id of `spawn`: `spawn_then`
    {
        self.queue().push(entity, queue::Despawn::<false>);
    }

    /// See [`Commands::despawn_if_alive`].
    #[rustfmt::skip]
    pub fn despawn_if_alive(&mut self, entity: Entity) // no id of `spawn`: `spawn_then`
    {
        self.queue().push(entity, queue::Despawn::<true>);
    }

    /// See [`Commands::insert`].
    #[rustfmt::skip]
    pub fn insert<B: Bundle<W>>(&mut self, entity: Entity, bundle: B) // `insert(entity, (A, B))`; no id: `spawn_then`
    {
        self.queue().push(entity, queue::Insert::<_, _, false>(BundleCommand::new(bundle)));
    }

    /// See [`Commands::remove`].
    pub fn remove<B: Bundle<W>>(&mut self, entity: Entity) // `remove::<A>(entity)`
    {
        self.queue().push(entity, queue::Remove::<B::BundleComponents>::NEW);
    }

    /// See [`Commands::run`].
    pub fn run(&mut self, change: impl FnOnce(&mut W) + Send + Sync + 'static) {
        self.queue().push(NO_ENTITY, queue::RunClosure(change));
    }

    /// Borrows the commands for a shorter time, to pass them by value to a function and use them
    /// again later.
    pub fn reborrow(&mut self) -> ParCommands<'_, W> {
        ParCommands(match &mut self.0 {
            CommandTarget::System(commands) => CommandTarget::System(commands.reborrow()),
            CommandTarget::Apart(queue) => CommandTarget::Apart(queue),
        })
    }
}

impl<W: RawWorld> fmt::Debug for ParCommands<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let len = match &self.0 {
            CommandTarget::System(commands) => commands.len(),
            CommandTarget::Apart(queue) => queue.len(),
        };
        f.debug_struct("ParCommands").field("len", &len).finish()
    }
}
