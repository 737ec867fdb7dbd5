//! Commands that are applied at a later time of a clock, as data: [`DelayedCommand`], the commands
//! for components, and [`Commands::after`].

use alloc::sync::Arc;
use core::marker::PhantomData;
use core::time::Duration;

use super::{Clock, Delayed};
use crate::base::thread_safe::ThreadSafe;
use crate::bundle::Bundle;
use crate::command::failed_command::Origin;
use crate::command::queue::{BundleCommand, Command, Insert, NO_ENTITY, Remove, StagedChange};
use crate::command::{Commands, ParCommands};
use crate::entity::Entity;
use crate::raw_world::{RawWorld, WorldFields};
use crate::resource::HasResource;

/// A value in [`Delayed`] that stands for commands: [`apply_due`](super::apply_due) applies them
/// when the clock has reached the time.
///
/// It is a value and not a closure, so that it is saved, cloned, hashed and rolled back with the
/// world. The library has [`DespawnEntity`], [`InsertBundle`], [`RemoveBundle`],
/// [`SpawnBundle`], and [`DelayedCall`] for a world that is not saved. A type of your own can be an
/// enum of all the commands that a game delays, which then keep their order among each other:
///
/// ```
/// use std::time::Duration;
///
/// use ecs::prelude::*;
/// use ecs::time::{Delayed, DelayedCommand, apply_due};
///
/// #[derive(Component)]
/// struct Shield;
/// #[derive(Component)]
/// struct Corpse;
///
/// enum Later {
///     DropShield(Entity),
///     LeaveCorpse(Entity),
/// }
///
/// impl DelayedCommand<Game> for Later {
///     fn apply(self, commands: &mut Commands<Game>) {
///         match self {
///             Later::DropShield(entity) if commands.contains(entity) => commands.remove::<Shield>(entity),
///             Later::DropShield(_) => {}
///             Later::LeaveCorpse(entity) => {
///                 commands.despawn_if_alive(entity);
///                 commands.spawn(Corpse);
///             }
///         }
///     }
/// }
///
/// world! {
///     struct Game {
///         components { Shield, Corpse }
///         resources { Clock = Clock::new(), Delayed<Later> = Delayed::new() }
///     }
///     schedule frame { apply_due::<Later, ()> }
/// }
///
/// let mut game = Game::new();
/// let hero = game.spawn(Shield);
/// game.with_commands(|mut commands| {
///     commands.after(Duration::from_secs(2), Later::LeaveCorpse(hero));
///     commands.after(Duration::from_secs(1), Later::DropShield(hero));
/// });
/// game.resource_mut::<Clock>().advance(Duration::from_secs(1));
/// game.frame();
/// assert!(game.contains(hero) && !game.has::<Shield>(hero));
/// game.resource_mut::<Clock>().advance(Duration::from_secs(1));
/// game.frame();
/// assert_eq!((game.contains(hero), game.query::<&Corpse>().len()), (false, 1));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a command that can be delayed in world `{W}`",
    label = "`apply_due` cannot apply it",
    note = "`ecs::time` has `DespawnEntity`, `InsertBundle`, `RemoveBundle`, `SpawnBundle` and `DelayedCall`; for a type of your own write `impl DelayedCommand<{W}> for {Self}`",
    note = "an event that is sent later needs `send_due` in place of `apply_due`"
)]
pub trait DelayedCommand<W: RawWorld> {
    /// Queues the commands. An entity that the value names may have been despawned in the meantime:
    /// [`Commands::contains`] tells, and [`Commands::despawn_if_alive`] accepts it.
    fn apply(self, commands: &mut Commands<'_, W>);
}

/// Delayed command: despawns an entity, if it exists by then. See [`DelayedCommand`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DespawnEntity(pub Entity);

/// Delayed command: adds the components of a bundle to an entity, or replaces them, if the entity
/// exists by then. See [`DelayedCommand`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InsertBundle<B>(pub Entity, pub B);

/// Delayed command: removes the components of a bundle from an entity, those of them that it has by
/// then. See [`DelayedCommand`].
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(bound = ""))]
pub struct RemoveBundle<B> {
    entity: Entity,
    #[cfg_attr(feature = "serde", serde(skip))]
    bundle: PhantomData<fn() -> B>,
}

/// Delayed command: spawns an entity with the components of a bundle. See [`DelayedCommand`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpawnBundle<B>(pub B);

impl<W: RawWorld> DelayedCommand<W> for DespawnEntity {
    fn apply(self, commands: &mut Commands<'_, W>) {
        commands.despawn_if_alive(self.0);
    }
}

impl<B: Bundle<W>, W: RawWorld> DelayedCommand<W> for InsertBundle<B> {
    fn apply(self, commands: &mut Commands<'_, W>) {
        commands.state.queue.push(self.0, IfAlive(Insert::<_, _, false>(BundleCommand::new(self.1))));
    }
}

impl<B> RemoveBundle<B> {
    /// Removes the components `B` from this entity: `RemoveBundle::<(Shield, Helmet)>::of(hero)`.
    #[must_use]
    pub const fn of(entity: Entity) -> Self {
        Self { entity, bundle: PhantomData }
    }

    /// The entity that loses the components.
    #[must_use]
    pub const fn entity(&self) -> Entity {
        self.entity
    }

    /// The entity that loses the components, mutable, for instance to replace its id after
    /// [`WorldMemory::regroup`](crate::world::WorldMemory::regroup).
    pub const fn entity_mut(&mut self) -> &mut Entity {
        &mut self.entity
    }
}

impl<B: Bundle<W>, W: RawWorld> DelayedCommand<W> for RemoveBundle<B> {
    fn apply(self, commands: &mut Commands<'_, W>) {
        commands.state.queue.push(self.entity, IfAlive(Remove::<B::BundleComponents>::NEW));
    }
}

impl<B: Bundle<W>, W: RawWorld> DelayedCommand<W> for SpawnBundle<B> {
    fn apply(self, commands: &mut Commands<'_, W>) {
        commands.spawn(self.0);
    }
}

/// Delayed command: calls a function with [`Commands`], so that one queue and one system are enough
/// for all that a game delays. It is cloned with the world, and a world with such a queue is not
/// saved: a function has no data that could be written. See [`DelayedCommand`].
///
/// ```
/// use std::time::Duration;
///
/// use ecs::prelude::*;
/// use ecs::time::{Delayed, DelayedCall, apply_due};
///
/// #[derive(Component, PartialEq, Debug)]
/// struct Colour(&'static str);
///
/// world! {
///     struct Game {
///         components { Colour }
///         resources { Clock = Clock::new(), Delayed<DelayedCall<Game>> = Delayed::new() }
///     }
///     schedule frame { apply_due::<DelayedCall<Game>, ()> }
/// }
///
/// let mut game = Game::new();
/// let lamp = game.spawn(Colour("red"));
/// game.with_commands(|mut commands| {
///     let second = Duration::from_secs(1);
///     commands.after(second, DelayedCall::new(move |commands| commands.insert(lamp, Colour("green"))));
///     commands.after(2 * second, DelayedCall::new(move |commands| commands.despawn(lamp)));
/// });
/// game.resource_mut::<Clock>().advance(Duration::from_secs(1));
/// game.frame();
/// assert_eq!(game.get(lamp), Some(&Colour("green")));
/// game.resource_mut::<Clock>().advance(Duration::from_secs(1));
/// game.frame();
/// assert!(!game.contains(lamp));
/// ```
pub struct DelayedCall<W: RawWorld>(Call<W>);

/// The function of a [`DelayedCall`]. It is shared with copies of the world.
type Call<W> = Arc<dyn Fn(&mut Commands<'_, W>) + Send + Sync>;

impl<W: RawWorld> DelayedCall<W> {
    /// A call of `call`, which a copy of the world may make, too.
    pub fn new(call: impl Fn(&mut Commands<'_, W>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(call))
    }
}

impl<W: RawWorld> DelayedCommand<W> for DelayedCall<W> {
    fn apply(self, commands: &mut Commands<'_, W>) {
        (self.0)(commands);
    }
}

impl<W: RawWorld> Clone for DelayedCall<W> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

debug!([W: RawWorld] DelayedCall<W>, |_this, f| f.write_str("DelayedCall"));

// By hand, since a derive would ask the bundle for the same trait.

copy!([B] RemoveBundle<B>);

impl<B> PartialEq for RemoveBundle<B> {
    fn eq(&self, other: &Self) -> bool {
        self.entity == other.entity
    }
}

impl<B> Eq for RemoveBundle<B> {}

impl<B> core::hash::Hash for RemoveBundle<B> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.entity.hash(state);
    }
}

debug!([B] RemoveBundle<B>, |this, f| f.debug_tuple("RemoveBundle").field(&this.entity).finish());

/// A value that can wait in world `W`, which has the resource [`Delayed<Self, Tag>`](Delayed) and
/// the clock `Clock<Tag>`: the bound of [`Commands::after`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be delayed in world `{W}`, which has no resource `Delayed<{Self}>`",
    label = "no `Delayed<{Self}>` in `{W}`",
    note = "list it in the `world!` of `{W}`, with the clock that tells its time: `resources {{ Clock = Clock::new(), Delayed<{Self}> = Delayed::new() }}`, both of `ecs::time`; for a clock with a tag `Delayed<{Self}, Tag>`",
    note = "what is delayed is a value of a type, such as `DespawnEntity(entity)` of `ecs::time`, an event, or a type of yours that implements `DelayedCommand`",
    note = "a schedule applies delayed commands by the system `apply_due::<{Self}, ()>`, and sends delayed events by `send_due::<{Self}, ()>`"
)]
pub trait DelayedIn<W: RawWorld, Tag: 'static>: ThreadSafe {
    #[doc(hidden)]
    fn wait(self, world: &mut W, delay: Duration);
}

#[diagnostic::do_not_recommend]
impl<C: ThreadSafe, Tag: 'static, W> DelayedIn<W, Tag> for C
where
    W: HasResource<Delayed<C, Tag>> + HasResource<Clock<Tag>>,
{
    fn wait(self, world: &mut W, delay: Duration) {
        let due = world.resource_of::<Clock<Tag>>().elapsed().saturating_add(delay);
        world.resource_of_mut::<Delayed<C, Tag>>().send_at(due, self);
    }
}

impl<W: RawWorld> Commands<'_, W> {
    /// Delays a command or an event by a time of a clock:
    /// `commands.after(Duration::from_secs(2), DespawnEntity(bomb))`.
    ///
    /// The value is added to the resource [`Delayed<C, Tag>`](Delayed) when the stage ends, and the
    /// delay counts from the time that the clock `Clock<Tag>` has then.
    /// [`apply_due`](super::apply_due) applies the commands that are due, and
    /// [`send_due`](super::send_due) sends the events: without one of them in a schedule the value
    /// waits forever. Values are due in the order of their times, and those of one time in the
    /// order in which they were added. Everything is data of the world: clones, snapshots and saves
    /// continue with it.
    ///
    /// The compiler infers the tag if the world has one resource `Delayed<C, Tag>` for `C`.
    /// Otherwise name it: `after::<_, Play>(..)`.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use ecs::prelude::*;
    /// use ecs::time::{Delayed, DespawnEntity, apply_due};
    ///
    /// #[derive(Component)]
    /// struct Spark;
    ///
    /// world! {
    ///     struct Game {
    ///         components { Spark }
    ///         resources { Clock = Clock::new(), Delayed<DespawnEntity> = Delayed::new() }
    ///     }
    ///     schedule frame { apply_due::<DespawnEntity, ()>; strike }
    /// }
    ///
    /// #[system(Game)]
    /// fn strike(sparks: Query<&Spark>, mut commands: Commands<Game>) {
    ///     if sparks.is_empty() {
    ///         let spark = commands.spawn(Spark);
    ///         commands.after(Duration::from_secs(2), DespawnEntity(spark));
    ///     }
    /// }
    ///
    /// let mut game = Game::new();
    /// let mut ids = Vec::new();
    /// for _ in 0..6 {
    ///     game.resource_mut::<Clock>().advance(Duration::from_secs(1));
    ///     game.frame();
    ///     ids.push(game.query::<Entity>().filter::<With<Spark>>().single().unwrap());
    /// }
    /// assert!(ids[0] == ids[1] && ids[1] != ids[2] && ids[2] == ids[3]);
    /// ```
    pub fn after<C: DelayedIn<W, Tag>, Tag: 'static>(&mut self, delay: Duration, command: C)
    // `after(Duration::from_secs(2), DespawnEntity(id))`
    {
        self.state.queue.push(NO_ENTITY, Delay::<C, Tag>(delay, command, PhantomData));
    }
}

impl<W: RawWorld> ParCommands<'_, W> {
    /// Delays a command or an event by a time of a clock: see [`Commands::after`].
    pub fn after<C: DelayedIn<W, Tag>, Tag: 'static>(&mut self, delay: Duration, command: C)
    // `after(Duration::from_secs(2), DespawnEntity(id))`
    {
        self.queue().push(NO_ENTITY, Delay::<C, Tag>(delay, command, PhantomData));
    }
}

/// Command: applies a command if its entity exists by then. Commands that are due at the same time
/// may despawn the entity.
struct IfAlive<C>(C);

impl<C: Command<W>, W: RawWorld> Command<W> for IfAlive<C> {
    fn staged(&self, component: usize) -> StagedChange<'_> {
        self.0.staged(component)
    }
    fn apply(self, world: &mut W, entity: Entity, origin: &Origin) {
        if world.__living().contains(entity) {
            self.0.apply(world, entity, origin);
        }
    }
}

/// Command: adds a value to [`Delayed`].
struct Delay<C, Tag>(Duration, C, PhantomData<fn() -> Tag>);

impl<C: DelayedIn<W, Tag>, Tag: 'static, W: RawWorld> Command<W> for Delay<C, Tag> {
    fn apply(self, world: &mut W, _: Entity, _: &Origin) {
        self.1.wait(world, self.0);
    }
}
