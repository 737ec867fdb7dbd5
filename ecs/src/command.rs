//! Commands: changes of entities that a system requests while it runs and that are made at the end
//! of the stage.
//!
//! At the end of a stage, the commands of its systems are applied in the order in which the systems
//! are written, and those of one system in the order in which they were given. A command whose
//! entity no longer exists is a [`FailedCommand`].

// Each place of a system in a schedule has its own `queue` of commands; `flush` applies the queues.

use core::cell::Cell;

pub(crate) mod entity_commands;
pub(crate) mod failed_command;
pub(crate) mod flush;
pub(crate) mod par;
pub(crate) mod queue;
#[cfg(feature = "serde")]
mod saved;
mod threads;

pub use entity_commands::{EntityCommands, ParEntityCommands};
pub use failed_command::{FailedCommand, FailurePolicy};
use flush::Flush;
pub use par::ParCommands;
pub use queue::ReservedIds;
use queue::{BundleCommand, CommandQueue, SpawnSetOf, StagedChange};

use crate::base::thread_safe::ThreadSafe;
use crate::bundle::{Bundle, BundleComponents};
use crate::component::Has;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::reserved_slots::ReservedSlots;
use crate::entity::spawn_sites::SpawnSite;
use crate::error::{NoSuchEntity, PresentError};
use crate::event::SentTo;
use crate::persist::state::SavedState;
use crate::raw_world::cell::PresenceCell;
use crate::raw_world::{RawWorld, WorldFields};
use crate::system::SystemPhase;

/// System parameter: spawns and despawns entities, and adds and removes components, at the end of
/// the stage.
///
/// A stage ends at the next `;` of the schedule. [`spawn`](Self::spawn) returns the id of the new
/// entity at once. [`has`](Self::has), [`get`](Self::get) and [`contains`](Self::contains) take the
/// commands into account that were given through the same `Commands`; queries and other systems see
/// the changes when the stage has ended.
///
/// ```
/// # use ecs::prelude::*;
/// # #[derive(Component)] struct Health(u32);
/// # #[derive(Component)] struct Corpse;
/// # world! { struct Game { components { Health, Corpse } } schedule tick { bury; } }
/// #[system(Game)]
/// fn bury(healths: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
///     for (entity, _) in healths.iter().filter(|(_, health)| health.0 == 0) {
///         commands.despawn(entity);
///         commands.spawn(Corpse);
///     }
/// }
///
/// let mut game = Game::new();
/// game.spawn_batch([0, 5, 0].map(Health));
/// game.tick();
/// assert_eq!((game.query::<&Health>().iter().count(), game.query::<&Corpse>().iter().count()), (1, 2));
/// ```
///
/// A command fails if its entity was despawned before the command is applied, for example by the
/// commands of another system. A failed command changes nothing, is counted in
/// [`Stats::failed_commands`](crate::world::Stats::failed_commands), and is handled by the policy
/// that [`World::on_failed_command`](crate::World::on_failed_command) sets.
///
/// Cost: a command is written to a buffer that is reused, without an allocation of its own (unless
/// its alignment is above eight bytes). The first call of `has`, `get` or `contains` after a flush
/// builds an index of the commands by entity.
///
/// The parameter is the world. Its name stands in the compiler's advice for `Commands` without it.
pub struct Commands<'w, Game: RawWorld> {
    pub(crate) world: PresenceCell<'w, Game>,
    pub(crate) state: &'w mut CommandState<Game>,
}

/// The state of a [`Commands`] parameter: its queue and its reserved slots. A clone has an empty
/// queue.
#[doc(hidden)]
pub struct CommandState<W: RawWorld> {
    pub(crate) queue: CommandQueue<W>,
    pub(crate) reserved: ReservedSlots,
    /// Whether the stage was aborted by a panic. The commands are then dropped when the system runs
    /// again, not while the panic unwinds.
    aborted: bool,
}

impl<W: RawWorld> Clone for CommandState<W> {
    fn clone(&self) -> Self {
        let Self { queue: _, reserved, aborted: _ } = self;
        Self { queue: CommandQueue::new(), reserved: reserved.clone(), aborted: false }
    }
}

impl<W: RawWorld> crate::system::StateParts for CommandState<W> {
    fn saved_states<'s>(&'s self, each: &mut dyn FnMut(&'s dyn SavedState)) {
        each(self);
    }
    fn saved_states_mut<'s>(&'s mut self, each: &mut dyn FnMut(&'s mut dyn SavedState)) {
        each(self);
    }
}

impl<W: RawWorld> CommandState<W> {
    /// A state without commands.
    pub(crate) fn new(reserved: ReservedSlots) -> Self {
        Self { queue: CommandQueue::new(), reserved, aborted: false }
    }

    /// Drops the commands of an aborted run.
    #[inline(always)]
    pub(crate) fn begin(&mut self) {
        if core::mem::take(&mut self.aborted) {
            self.queue.clear();
        }
    }

    /// Does what [`SystemParam::finish`](crate::system::SystemParam::finish) does for commands, in
    /// phases in which no one else accesses the world.
    pub(crate) fn finish(&mut self, entities: &mut Entities, phase: &mut SystemPhase<'_, W>) {
        // ids are reserved before the system runs, spawned with its commands, and reserved anew
        // afterwards
        match phase {
            SystemPhase::Open(_) => self.reserved = entities.open_reserved(),
            SystemPhase::Done | SystemPhase::Skipped { .. } | SystemPhase::Refused => {}
            SystemPhase::Collect(flush) => {
                let reservation = entities.flush_reserved(&mut self.reserved);
                if !self.aborted {
                    flush.take(&mut self.queue, reservation);
                }
            }
            SystemPhase::Refill(flush) => {
                entities.refill(&mut self.reserved);
                flush.give_back(&mut self.queue);
            }
            SystemPhase::Close => entities.close(&mut self.reserved),
            // the commands will not be applied: no entity gets the ids that they were to spawn
            SystemPhase::Discard => {
                let reservation = entities.flush_reserved(&mut self.reserved);
                if !self.aborted {
                    self.queue.give_up(entities, reservation);
                }
                self.aborted = true;
            }
        }
    }
}

/// Calls `f` with new commands, then applies them:
/// [`World::with_commands`](crate::World::with_commands).
pub(crate) fn with<W: RawWorld, R>(world: &mut W, f: impl FnOnce(Commands<'_, W>) -> R) -> R {
    let reserved = world.entities_mut().open_reserved();
    let mut guard = UnscheduledCommands { state: CommandState::new(reserved), world, done: false };
    let world = PresenceCell::of(guard.world);
    let result = f(Commands { world, state: &mut guard.state });
    let mut flush = Flush::new(("", 0));
    guard.state.finish(guard.world.entities_mut(), &mut SystemPhase::Collect(&mut flush));
    guard.done = true;
    flush.apply(guard.world, &Cell::new(""));
    result
}

/// The state of commands that belong to no place in a schedule. `Drop` returns the reserved slots
/// to the world.
struct UnscheduledCommands<'w, W: RawWorld> {
    world: &'w mut W,
    state: CommandState<W>,
    /// Whether the commands were moved to a flush. If not, `f` has panicked.
    done: bool,
}

impl<W: RawWorld> Drop for UnscheduledCommands<'_, W> {
    fn drop(&mut self) {
        let mut phase = if self.done { SystemPhase::Close } else { SystemPhase::Discard };
        self.state.finish(self.world.entities_mut(), &mut phase);
        if !self.done {
            self.state.finish(self.world.entities_mut(), &mut SystemPhase::Close);
        }
    }
}

impl<W: RawWorld> Commands<'_, W> {
    /// Spawns an entity with the components of a bundle and the components that they require.
    ///
    /// The returned id can be used at once in other commands, and can be stored. The entity is
    /// alive when the stage has ended.
    #[cfg_attr(debug_assertions, track_caller)]
    #[inline]
    pub fn spawn<B: Bundle<W>>(&mut self, bundle: B) -> Entity // a tuple: `spawn((A, B))`
    {
        let set = const { SpawnSetOf::<W, B::BundleComponents>::SET };
        let entity = self.state.reserved.reserve(self.world.entities(), set);
        self.state.queue.push(entity, queue::Spawn(BundleCommand::new(bundle), queue::nothing));
        entity
    }

    /// Spawns an entity for each bundle, as [`spawn`](Self::spawn) does, and returns the ids in the
    /// order of the bundles.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Spark(u32);
    /// # #[derive(Component, PartialEq, Debug)] struct Firework { last: Option<Entity> }
    /// # world! { struct Game { components { Spark, Firework } } schedule tick { burst; } }
    /// #[system(Game)]
    /// fn burst(entity: Entity, _: &Firework, mut commands: Commands<Game>) {
    ///     let last = commands.spawn_batch((0..10).map(Spark)).last();
    ///     commands.insert(entity, Firework { last });
    /// }
    ///
    /// let mut game = Game::new();
    /// let firework = game.spawn(Firework { last: None });
    /// game.tick();
    /// let last = game.get::<Firework>(firework).and_then(|firework| firework.last).unwrap();
    /// assert_eq!(game.get::<Spark>(last).map(|spark| spark.0), Some(9));
    /// ```
    ///
    /// Cost: one command for each bundle. If no one needs the ids in this stage,
    /// `commands.run(|game| { game.spawn_batch(..); })` writes the columns in bulk.
    ///
    /// # Panics
    /// If the iterator panics. The commands for the bundles before the panic stay.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn spawn_batch<B: Bundle<W>>(&mut self, bundles: impl IntoIterator<Item = B>) -> ReservedIds<'_, W> // `spawn_batch(vec![(A, B), (A, B)])`
    {
        let set = const { SpawnSetOf::<W, B::BundleComponents>::SET };
        let CommandState { queue, reserved, .. } = &mut *self.state;
        let (entities, site) = (self.world.entities(), SpawnSite::of_caller());
        queue.push_all(bundles.into_iter().map(|bundle| {
            let command = queue::Spawn(BundleCommand::at(bundle, site), queue::nothing);
            (reserved.reserve(entities, set), command)
        }))
    }

    /// Sends an event when the stage ends, in the order of the commands: after the events that
    /// [`EventWriter`](crate::EventWriter)s have sent in the stage.
    ///
    /// An event that only commands send is declared `external`: the check for events that no system
    /// sends does not see commands.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Health(i32);
    /// #[derive(Event, PartialEq, Debug)]
    /// struct Buried(Entity);
    ///
    /// world! { struct Game { components { Health } events { Buried(external) } } schedule tick { bury; } }
    ///
    /// #[system(Game)]
    /// fn bury(healths: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
    ///     for (entity, _) in healths.iter().filter(|(_, health)| health.0 <= 0) {
    ///         commands.despawn(entity);
    ///         commands.send(Buried(entity)); // a reader finds the entity despawned
    ///     }
    /// }
    ///
    /// let mut game = Game::new();
    /// let hero = game.spawn(Health(0));
    /// game.tick();
    /// assert_eq!(game.drain::<Buried>().collect::<Vec<_>>(), [Buried(hero)]);
    /// ```
    ///
    /// # Panics
    /// When the command is applied, if the event is declared with `full = panic` and the limit is
    /// reached.
    pub fn send<E: SentTo<W> + ThreadSafe>(&mut self, event: E) {
        self.state.queue.push(queue::NO_ENTITY, queue::SendEvent(event));
    }

    /// The commands for one entity, which is named once:
    /// `commands.entity(id).insert(..).remove::<T>()`. Each method is one command, as if it was
    /// given with the id.
    ///
    /// Whether the entity is alive is not checked here: commands for an entity that does not exist
    /// when they are applied fail.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Frozen;
    /// # #[derive(Component, PartialEq, Debug)] struct Speed(i32);
    /// # world! { struct Game { components { Frozen, Speed } } }
    /// # let mut game = Game::new();
    /// let ball = game.spawn(Frozen);
    /// game.with_commands(|mut commands| {
    ///     commands.entity(ball).remove::<Frozen>().insert(Speed(3));
    /// });
    /// assert!(!game.has::<Frozen>(ball) && game.get(ball) == Some(&Speed(3)));
    /// ```
    pub fn entity(&mut self, entity: Entity) -> EntityCommands<'_, W> {
        EntityCommands::new(self.reborrow(), entity)
    }

    /// Despawns an entity and drops its components. For [`contains`](Self::contains) of these
    /// commands it is despawned at once.
    ///
    /// If the entity does not exist when the command is applied, the command fails. If several
    /// systems may despawn the same entity in one stage, use
    /// [`despawn_if_alive`](Self::despawn_if_alive).
    pub fn despawn(&mut self, entity: Entity) {
        self.state.queue.push(entity, queue::Despawn::<false>);
    }

    /// Despawns an entity as [`despawn`](Self::despawn) does, but is not a failed command if the
    /// entity does not exist when the command is applied.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Health(i32);
    /// # #[derive(Component)] struct Age(u32);
    /// # world! { struct Game { components { Health, Age } } schedule tick { starve, grow_old; } }
    /// #[system(Game)]
    /// fn starve(healths: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
    ///     healths.iter().filter(|(_, health)| health.0 <= 0).for_each(|(entity, _)| commands.despawn_if_alive(entity));
    /// }
    /// #[system(Game)]
    /// fn grow_old(ages: Query<(Entity, &Age)>, mut commands: Commands<Game>) {
    ///     ages.iter().filter(|(_, age)| age.0 > 100).for_each(|(entity, _)| commands.despawn_if_alive(entity));
    /// }
    ///
    /// let mut game = Game::new();
    /// let both = game.spawn((Health(0), Age(101)));
    /// game.tick();
    /// assert!(!game.contains(both));
    /// assert_eq!(game.stats().failed_commands, 0);
    /// ```
    pub fn despawn_if_alive(&mut self, entity: Entity) {
        self.state.queue.push(entity, queue::Despawn::<true>);
    }

    /// Adds the components of a bundle to an entity, and the components that they require and that
    /// it does not have. Values that are replaced are dropped.
    #[inline]
    pub fn insert<B: Bundle<W>>(&mut self, entity: Entity, bundle: B) // `insert(entity, (A, B))`
    {
        self.state.queue.push(entity, queue::Insert::<_, _, false>(BundleCommand::new(bundle)));
    }

    /// Adds the components of a bundle to an entity that has none of them.
    ///
    /// If the commands of another system insert one of the components first, this command fails
    /// when it is applied.
    ///
    /// # Errors
    /// If the entity is not alive, or has one of the components, or will have one by an earlier
    /// command of these `Commands`. The bundle is then dropped.
    pub fn insert_if_new<B: Bundle<W>>(&mut self, entity: Entity, bundle: B) -> Result<(), PresentError> {
        if !self.contains(entity) {
            return Err(NoSuchEntity { entity, world: W::WORLD_NAME }.into());
        }
        for component in B::BundleComponents::OWN.indices() {
            if self.holds(entity, component) {
                return Err(PresentError::Present {
                    entity,
                    component: W::COMPONENT_NAMES[component],
                    world: W::WORLD_NAME,
                });
            }
        }
        self.state.queue.push(entity, queue::Insert::<_, _, true>(BundleCommand::new(bundle)));
        Ok(())
    }

    /// Removes the components of a bundle from an entity, those of them that it has, and drops
    /// their values.
    pub fn remove<B: Bundle<W>>(&mut self, entity: Entity) // `remove::<A>(entity)`, `remove::<(A, B)>(entity)`
    {
        self.state.queue.push(entity, queue::Remove::<B::BundleComponents>::NEW);
    }

    /// Calls `change` with exclusive access to the world, after the commands that were given before
    /// it.
    ///
    /// `change` may replace the world: load it, restore a snapshot, or assign another one. The
    /// commands behind it then apply to the new world. Those that spawn an entity fail, since its
    /// id was reserved in the former world, and so do the other commands for this entity.
    ///
    /// # Panics
    /// When the command is applied, if `change` runs the schedule to which the command belongs.
    pub fn run(&mut self, change: impl FnOnce(&mut W) + Send + Sync + 'static) {
        self.state.queue.push(queue::NO_ENTITY, queue::RunClosure(change));
    }

    /// The value of `T` that these commands will insert into an entity.
    ///
    /// Returns `None` if they insert none, or remove it again, or despawn the entity. The value
    /// that the entity has already is not returned; read it with a query.
    pub fn get<T: 'static>(&mut self, entity: Entity) -> Option<&T>
    where
        W: Has<T>,
    {
        match self.state.queue.staged(entity, W::INDEX) {
            StagedChange::Value(value) => value.downcast_ref(),
            _ => None,
        }
    }

    /// Whether the entity has the component `T` or will have it by these commands.
    #[rustfmt::skip]
    pub fn has<T: 'static>(&mut self, entity: Entity) -> bool // a type: `has::<A>(entity)`
    where
        W: Has<T>,
    {
        self.contains(entity) && self.holds(entity, W::INDEX)
    }

    /// Whether the entity is alive, or will be alive by these commands.
    pub fn contains(&mut self, entity: Entity) -> bool {
        match self.state.queue.staged(entity, usize::MAX) {
            StagedChange::Despawned => false,
            StagedChange::Spawned => true,
            _ => self.world.entities().contains(entity),
        }
    }

    /// The number of commands that wait for the end of the stage.
    pub fn len(&self) -> usize {
        self.state.queue.len()
    }

    /// Whether no command waits for the end of the stage.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn queue(&mut self) -> &mut CommandQueue<W> {
        &mut self.state.queue
    }

    /// Borrows the commands for a shorter time, to pass them by value to a function and use them
    /// again later.
    pub fn reborrow(&mut self) -> Commands<'_, W> {
        Commands { world: self.world, state: self.state }
    }

    /// Whether an entity for which `contains` is true has the component with this index, or will
    /// have it by these commands.
    fn holds(&mut self, entity: Entity, component: usize) -> bool {
        match self.state.queue.staged(entity, component) {
            StagedChange::Value(_) | StagedChange::Required => true,
            StagedChange::Removed | StagedChange::Despawned => false,
            StagedChange::Spawned | StagedChange::Unchanged => self.world.has(entity.slot(), component),
        }
    }
}

debug!([W: RawWorld] Commands<'_, W>, |this, f| {
    f.debug_struct("Commands").field("len", &this.len()).finish()
});

/// The worlds `V` for which `Commands<V>` is a parameter of a system of world `W`: `W` itself.
#[diagnostic::on_unimplemented(
    message = "these are commands of world `{Self}`, in a system of world `{W}`",
    label = "commands of another world",
    note = "write `Commands<{W}>`; in a system that is generic over its world, `#[system(W)]` and `Commands<W>`"
)]
pub trait SameWorld<W: RawWorld>: RawWorld {
    #[doc(hidden)]
    fn same<'w>(commands: Commands<'w, W>) -> Commands<'w, Self>;
}

impl<W: RawWorld> SameWorld<W> for W {
    #[inline(always)]
    fn same(commands: Commands<'_, W>) -> Commands<'_, W> {
        commands
    }
}
