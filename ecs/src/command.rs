//! Commands: changes that are made at the end of a stage.
//!
//! A system that takes [`Commands`] can say what shall become of entities while others use them. What it says is kept
//! in a [`queue`] of its place in the schedule, and done in the order in which the systems are written, each queue from
//! its front to its end.
#![expect(unsafe_code, reason = "a parameter is made from a world whose accesses were checked")]

use core::cell::Cell;
use core::fmt;

pub(crate) mod failed_command;
pub(crate) mod flush;
#[cfg(feature = "serde")]
mod prefab;
mod queue;
mod relate;

pub use failed_command::{FailedCommand, FailurePolicy};
use flush::Flush;
use queue::{CommandQueue, StagedChange};

use crate::bundle::{Bundle, BundleComponents};
use crate::component::Has;
use crate::entity::Entity;
use crate::entity::reserved_slots::ReservedSlots;
use crate::error::{NoSuchEntity, PresentError};
#[cfg(feature = "serde")]
use crate::save::state::{LoadContext, SavedState};
use crate::system::access::Access;
use crate::system::{StateParts, SystemParam, SystemPhase};
use crate::world::{World, WorldCell};

/// As a parameter: changes of the world `W` that are made when the stage ends, at the next `;` of the schedule.
///
/// What is spawned has its id at once. The methods that ask see the changes that were asked for through the same
/// `Commands`; to queries, and to everybody else, they show when the stage has ended.
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
/// A change of an entity that is gone when its turn comes, because somebody else's commands came first, is not made,
/// counted in [`Stats`](crate::Stats), and told to the handler that [`World::on_failed_command`] sets.
pub struct Commands<'w, W: World> {
    world: WorldCell<'w, W>,
    state: &'w mut CommandState<W>,
}

/// What commands keep at their place. A clone has nothing to do yet.
pub struct CommandState<W: World> {
    queue: CommandQueue<W>,
    reserved: ReservedSlots,
    /// Whether the system was broken off: what waits is dropped when it runs again, not while a panic is on its way.
    aborted: bool,
}

impl<W: World> Clone for CommandState<W> {
    fn clone(&self) -> Self {
        let Self { queue: _, reserved, aborted: _ } = self;
        Self { queue: CommandQueue::new(), reserved: reserved.clone(), aborted: false }
    }
}

impl<W: World> StateParts for CommandState<W> {
    #[cfg(feature = "serde")]
    fn kept<'s>(&'s self, each: &mut dyn FnMut(&'s dyn SavedState)) {
        each(self);
    }

    #[cfg(feature = "serde")]
    fn kept_mut<'s>(&'s mut self, each: &mut dyn FnMut(&'s mut dyn SavedState)) {
        each(self);
    }
}

#[cfg(feature = "serde")]
impl<W: World> SavedState for CommandState<W> {
    fn what(&self) -> &'static str {
        "slots for those that commands spawn"
    }

    fn save_kept(&self) -> alloc::boxed::Box<dyn erased_serde::Serialize + '_> {
        alloc::boxed::Box::new(self.reserved.image())
    }

    fn load_kept(
        &mut self,
        file: &mut dyn erased_serde::Deserializer<'_>,
        context: &LoadContext<'_>,
    ) -> Result<(), erased_serde::Error> {
        let words = crate::base::component_set::ComponentSet::words_for(W::COMPONENTS.len());
        self.reserved = ReservedSlots::of_image(erased_serde::deserialize(file)?, context.index_of, words);
        Ok(())
    }

    fn reserved_slots(&mut self) -> Option<&mut ReservedSlots> {
        Some(&mut self.reserved)
    }
}

impl<W: World> CommandState<W> {
    fn new(reserved: ReservedSlots) -> Self {
        Self { queue: CommandQueue::new(), reserved, aborted: false }
    }
}

/// Calls `f` with commands of its own, and does what they say.
pub(crate) fn with<W: World, R>(world: &mut W, f: impl FnOnce(Commands<'_, W>) -> R) -> R {
    // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
    let reserved = ReservedSlots::new(unsafe { WorldCell::new(world).entities_mut() }.open_reserved());
    let mut guard = UnscheduledCommands { state: CommandState::new(reserved), world, done: false };
    let cell = WorldCell::new(guard.world);
    let result = f(Commands { world: cell, state: &mut guard.state });
    let mut flush = Flush::new();
    // SAFETY: the world is borrowed mutably, and nothing of it is lent.
    unsafe {
        Commands::<W>::finish(
            WorldCell::new(guard.world),
            &mut guard.state,
            &mut SystemPhase::Collect(&mut flush),
        )
    };
    guard.done = true;
    flush.apply(guard.world, &Cell::new(""));
    result
}

/// Commands of no place: their reserved slots are returned with them.
struct UnscheduledCommands<'w, W: World> {
    world: &'w mut W,
    state: CommandState<W>,
    /// Whether what they say was taken out.
    done: bool,
}

impl<W: World> Drop for UnscheduledCommands<'_, W> {
    fn drop(&mut self) {
        let mut phase = if self.done { SystemPhase::Close } else { SystemPhase::Discard };
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        unsafe { Commands::<W>::finish(WorldCell::new(self.world), &mut self.state, &mut phase) };
        if !self.done {
            // SAFETY: as above.
            unsafe {
                Commands::<W>::finish(WorldCell::new(self.world), &mut self.state, &mut SystemPhase::Close)
            };
        }
    }
}

impl<W: World> Commands<'_, W> {
    /// Makes an entity with these components, and with those that they require. The id is valid at once, for other
    /// commands and to be kept; the entity lives when the stage has ended.
    #[inline]
    pub fn spawn<B: Bundle<W>>(&mut self, bundle: B) -> Entity {
        let kind = const { &B::BundleComponents::SET.spawn_set(W::COMPONENTS.len()) };
        let entity = self.state.reserved.reserve(self.world.entities(), kind);
        self.state.queue.push(entity, queue::Spawn(bundle.into_components()));
        entity
    }

    /// Exists for its error message only: events are sent by an [`EventWriter`](crate::EventWriter).
    #[doc(hidden)]
    pub fn send<E: SentByCommands>(&mut self, _event: E) {}

    /// Ends the life of an entity and drops its components. For these commands it is gone at once.
    ///
    /// If the entity no longer exists by then, the command is stray, which is reported. Where several systems may despawn the same
    /// entity in one stage, use [`try_despawn`](Self::try_despawn).
    pub fn despawn(&mut self, entity: Entity) {
        self.state.queue.push(entity, queue::Despawn);
    }

    /// Despawns an entity as [`despawn`](Self::despawn) does. If the entity no longer exists by then, nothing happens, and no
    /// stray command is counted or reported.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Health(i32);
    /// # #[derive(Component)] struct Age(u32);
    /// # world! { struct Game { components { Health, Age } } schedule tick { starve, grow_old; } }
    /// #[system(Game)]
    /// fn starve(healths: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
    ///     healths.iter().filter(|(_, health)| health.0 <= 0).for_each(|(entity, _)| commands.try_despawn(entity));
    /// }
    /// #[system(Game)]
    /// fn grow_old(ages: Query<(Entity, &Age)>, mut commands: Commands<Game>) {
    ///     ages.iter().filter(|(_, age)| age.0 > 100).for_each(|(entity, _)| commands.try_despawn(entity));
    /// }
    ///
    /// let mut game = Game::new();
    /// let both = game.spawn((Health(0), Age(101)));
    /// game.tick();
    /// assert!(!game.contains(both));
    /// assert_eq!(game.stats().failed_commands, 0);
    /// ```
    pub fn try_despawn(&mut self, entity: Entity) {
        self.state.queue.push(entity, queue::TryDespawn);
    }

    /// Gives an entity components, with those that they require, and drops those that they replace.
    #[inline]
    pub fn insert<B: Bundle<W>>(&mut self, entity: Entity, bundle: B) {
        self.state.queue.push(entity, queue::Insert(bundle.into_components()));
    }

    /// Gives an entity components of which it has none.
    ///
    /// # Errors
    /// If the entity does not live, or has one of the components, or will have it by an earlier command; then the
    /// bundle is dropped. That somebody else's commands come first and insert one is a stray command.
    pub fn try_insert<B: Bundle<W>>(&mut self, entity: Entity, bundle: B) -> Result<(), PresentError> {
        if !self.contains(entity) {
            return Err(NoSuchEntity { entity, world: W::NAME }.into());
        }
        for component in B::BundleComponents::OWN.indices() {
            if self.holds(entity, component) {
                return Err(PresentError::Present {
                    entity,
                    component: W::COMPONENTS[component],
                    world: W::NAME,
                });
            }
        }
        self.state.queue.push(entity, queue::TryInsert(bundle.into_components()));
        Ok(())
    }

    /// Takes components away, those that the entity has, and drops them.
    pub fn remove<B: Bundle<W>>(&mut self, entity: Entity) {
        self.state.queue.push(entity, queue::Remove::<B::BundleComponents>::NEW);
    }

    /// Calls `change` with the whole world, in its turn among these commands.
    pub fn run(&mut self, change: impl FnOnce(&mut W) + Send + Sync + 'static) {
        self.state.queue.push(queue::NO_ENTITY, queue::Run(change));
    }

    /// The value that these commands will give to an entity; `None` if they give it none, take it away again, or end
    /// the entity's life. What the entity has already is asked of a query.
    pub fn get<T: 'static>(&mut self, entity: Entity) -> Option<&T>
    where
        W: Has<T>,
    {
        match self.state.queue.staged(entity, W::INDEX) {
            // SAFETY: the record says that it holds the value of the component with this index, which is `T`; it is in
            // the queue for as long as these commands are borrowed.
            StagedChange::Value(value) => Some(unsafe { &*value.cast::<T>() }),
            _ => None,
        }
    }

    /// Whether the entity has a component, or will have it by these commands.
    pub fn has<T: 'static>(&mut self, entity: Entity) -> bool
    where
        W: Has<T>,
    {
        self.contains(entity) && self.holds(entity, W::INDEX)
    }

    /// Whether the entity lives, or will live by these commands.
    pub fn contains(&mut self, entity: Entity) -> bool {
        match self.state.queue.staged(entity, usize::MAX) {
            StagedChange::Despawned => false,
            StagedChange::Spawned => true,
            _ => self.world.entities().contains(entity),
        }
    }

    /// How many commands wait.
    pub fn len(&self) -> usize {
        self.state.queue.len()
    }

    /// Whether no command waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same commands for a shorter time.
    pub fn reborrow(&mut self) -> Commands<'_, W> {
        Commands { world: self.world, state: self.state }
    }

    /// Whether an entity that is there has the component of an index, or will have it.
    fn holds(&mut self, entity: Entity, component: usize) -> bool {
        match self.state.queue.staged(entity, component) {
            StagedChange::Value(_) | StagedChange::Required => true,
            StagedChange::Removed | StagedChange::Despawned => false,
            StagedChange::Spawned | StagedChange::Unchanged => {
                // SAFETY: the offset is the world's own. That nobody adds or removes components meanwhile is what the
                // access of `Commands` demands: it looks at the presence of all.
                let table = unsafe { crate::world::cell::table_of(self.world, component) };
                table.is_some_and(|table| table.contains(entity.slot()))
            }
        }
    }
}

impl<W: World> fmt::Debug for Commands<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Commands").field("len", &self.len()).finish()
    }
}

/// That commands are of the world that the system is of.
#[diagnostic::on_unimplemented(
    message = "these are commands of world `{Self}`, in a system of world `{W}`",
    label = "commands of another world",
    note = "write `Commands<{W}>`; in a system that is generic over its world, `#[system(W)]` and `Commands<W>`"
)]
pub trait SameWorld<W: World>: World {
    #[doc(hidden)]
    fn same<'w>(commands: Commands<'w, W>) -> Commands<'w, Self>;
}

/// Implemented by no type: see [`Commands::send`].
#[diagnostic::on_unimplemented(
    message = "commands send no events: `{Self}` is sent by an `EventWriter`",
    label = "not sent by commands",
    note = "take the parameter `mut events: EventWriter<{Self}>`, and write `events.send(..)`"
)]
pub trait SentByCommands {}

impl<W: World> SameWorld<W> for W {
    #[inline(always)]
    fn same(commands: Commands<'_, W>) -> Commands<'_, W> {
        commands
    }
}

// SAFETY: entities and the presence of components are read; the rest is in the state until the stage has ended.
unsafe impl<V: SameWorld<W>, W: World> SystemParam<W> for Commands<'_, V> {
    const ACCESS: Access = Access::COMMANDS;
    type State = CommandState<W>;
    type Item<'w> = Commands<'w, V>;
    fn init(_: &mut W) -> CommandState<W> {
        CommandState::new(ReservedSlots::default()) // it gets its number when the place is opened
    }
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut CommandState<W>) -> Commands<'w, V> {
        if core::mem::take(&mut state.aborted) {
            state.queue.clear();
        }
        V::same(Commands { world, state })
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Commands<'_, V>) -> Commands<'a, V> {
        item.reborrow()
    }
    #[inline]
    unsafe fn finish(world: WorldCell<'_, W>, state: &mut CommandState<W>, phase: &mut SystemPhase<'_, W>) {
        // SAFETY: but for `Done` and `Skipped`, the caller lends nothing of the world but this state.
        let entities = || unsafe { world.entities_mut() };
        match phase {
            SystemPhase::Open(_) => state.reserved = ReservedSlots::new(entities().open_reserved()),
            SystemPhase::Done | SystemPhase::Skipped => {}
            SystemPhase::Collect(flush) => {
                entities().settle(&mut state.reserved);
                if !state.aborted {
                    flush.take(&mut state.queue);
                }
            }
            SystemPhase::Refill(flush) => {
                entities().refill(&mut state.reserved);
                flush.give_back(&mut state.queue);
            }
            SystemPhase::Close => entities().close(&mut state.reserved),
            SystemPhase::Discard => {
                entities().settle(&mut state.reserved);
                if !state.aborted {
                    state.queue.give_up(entities());
                }
                state.aborted = true;
            }
        }
    }
}
