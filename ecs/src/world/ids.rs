//! [`WorldIds`]: ids that are chosen outside of the world, and ids with the mark of their world.

use core::panic::Location;

use crate::bundle::batch::put_new;
use crate::bundle::{Bundle, BundleComponents};
use crate::entity::Entity;
use crate::entity::mark::{WorldEntity, WorldMark};
use crate::entity::spawn_sites::SpawnSite;
use crate::error::{ForeignEntity, ReserveIdsError, SpawnAtError};
use crate::raw_world::{RawWorld, WorldFields};

/// Methods of every world for ids that come from outside of it: ids that another program has
/// chosen, and ids that have the mark of their world. Import it to call them:
/// `use ecs::world::WorldIds;`.
///
/// # Ids that tell their world
/// A program may have several worlds of one type: the rooms of a server, or a client and a server.
/// An [`Entity`] does not tell its world. In another world *type* it is very unlikely to be alive.
/// In another world of the same type it is often the id of another entity, and no method notices
/// that. A [`WorldEntity`] has the mark of its world, too, and [`resolve`](Self::resolve) refuses
/// it in every world with another mark.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::world::WorldIds;
///
/// #[derive(Component)]
/// struct Health(u32);
///
/// world! { struct Room { components { Health } } }
///
/// let (mut cave, mut tower) = (Room::new(), Room::new());
/// let (bat, owl) = (cave.spawn(Health(1)), tower.spawn(Health(2)));
/// assert_eq!(bat, owl); // equal ids in two worlds
///
/// let target = cave.world_entity(bat); // what the program keeps outside of the cave
/// assert_eq!(cave.resolve(target), Ok(bat));
/// let error = tower.resolve(target).unwrap_err();
/// assert_eq!(error.to_string(), format!("the id {bat} belongs to another world than this world `Room`"));
/// ```
///
/// # Rules
/// - The mark is a field of the world. Queries do not read it; it is not in the hash, in saves and
///   in the result of `save::diff`. An [`Entity`] has no mark, so methods that take an `Entity`
///   cannot check its world.
/// - A new world, a loaded world and a clone get a mark of their own, and `clone_from`,
///   [`restore`](crate::World::restore) and merges leave the mark of the world that they change. To
///   go on with a clone in place of the original, [set](Self::set_world_mark) the mark of the
///   original.
/// - A mark that the library has given to a world is valid in this process only. Set a number if
///   ids travel: `WorldMark::new(7)`. Worlds that are peers, with equal entities, get the same
///   number.
/// - Whether the entity is alive is not checked: the methods that take the resolved id do.
///
/// ```
/// # use ecs::prelude::*;
/// # use ecs::entity::{WorldEntity, WorldMark};
/// # use ecs::world::WorldIds;
/// # #[derive(Component)] struct Health(u32);
/// # world! { struct Room { components { Health } } }
/// let mut server = Room::new();
/// server.set_world_mark(WorldMark::new(7));
/// let bat = server.spawn(Health(1));
///
/// // a client sends the number of the room and the id
/// let message = (7, bat.to_bits());
/// let id = WorldEntity::new(WorldMark::new(message.0), Entity::from_bits(message.1).unwrap());
/// assert_eq!(server.resolve(id), Ok(bat));
/// let id = WorldEntity::new(WorldMark::new(8), bat);
/// assert!(server.resolve(id).is_err());
/// ```
pub trait WorldIds: RawWorld {
    /// Spawns an entity with an id that is chosen from outside, such as by a server, a file or a
    /// log.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::world::WorldIds;
    /// # #[derive(Component, PartialEq, Debug)] struct Health(u32);
    /// # world! { struct Game { components { Health } } }
    /// let mut server = Game::new();
    /// let (_, wolf) = (server.spawn(()), server.spawn(Health(3)));
    ///
    /// let mut client = Game::new();
    /// client.reserve_ids(0..4096)?; // the client itself spawns entities behind these slots
    /// let spark = client.spawn(());
    /// client.spawn_at(wolf, Health(3))?;
    /// assert_eq!(client.get(wolf), Some(&Health(3)));
    /// assert!(spark.slot() >= 4096 && client.spawn_at(wolf, ()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The id is new for this world: later entities of the slot have later generations.
    ///
    /// Cost: that of [`spawn`](crate::World::spawn). The lists of the world have an entry for every
    /// slot up to the largest one, 4 bytes and some bits for each: do not choose a slot far behind
    /// the others, and check the slot of an id that comes from a network.
    ///
    /// # Errors
    /// If the slot has an entity, the id or a later one of the slot was used before, the slot is
    /// reserved for commands of systems, or a rule refuses a component. Nothing changes then.
    ///
    /// # Panics
    /// If the `Default` of a required component panics. The entity is despawned then.
    #[cfg_attr(debug_assertions, track_caller)]
    fn spawn_at<B: Bundle<Self>>(&mut self, entity: Entity, bundle: B) -> Result<(), SpawnAtError> // `spawn_at(id, (A, B))`
    {
        if let Some(conflict) = self.__living().conflict(entity) {
            return Err(SpawnAtError::Conflict { entity, conflict, world: Self::WORLD_NAME });
        }
        let components = bundle.into_components();
        if let Some(refused) = components.refuse(self, None) {
            return Err(SpawnAtError::Refused(refused));
        }
        let kind = const { &B::BundleComponents::SET.spawn_set(Self::COMPONENT_NAMES.len()) };
        self.entities_mut().spawn_at(entity, kind);
        put_new(self, entity, components);
        self.entities_mut().note_site(entity, SpawnSite::of_caller());
        Ok(())
    }

    /// Keeps slots for [`spawn_at`](Self::spawn_at): all other entities are spawned in other slots,
    /// by commands, too. Rounded to whole blocks of 64 slots.
    ///
    /// A client keeps the range of the server, and the server that of the client, so that each can
    /// use the ids of the other. The range is part of the world: clones, snapshots and saves have
    /// it. A range that is reserved already may be reserved again.
    ///
    /// # Errors
    /// If slots of the range are in use for other entities, or no world has so many slots. Nothing
    /// changes then.
    fn reserve_ids(&mut self, slots: core::ops::Range<u32>) -> Result<(), ReserveIdsError> {
        self.entities_mut().reserve_slots(&slots).map_err(|slot| match slot {
            Some(slot) => ReserveIdsError::InUse { slot, world: Self::WORLD_NAME },
            None => ReserveIdsError::NoSuchSlots { world: Self::WORLD_NAME },
        })
    }

    /// The place in the source where a live entity was spawned: of the call of `spawn`,
    /// `try_spawn`, `spawn_batch`, `spawn_at`, of the same methods of `Commands`, or of the
    /// children of an entity. `None` for entities that came in another way, such as from a file, a
    /// prefab or by `clone_entity`, and in every build without debug assertions, which records
    /// nothing.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::world::WorldIds;
    ///
    /// # #[derive(Component)] struct Spark;
    /// # world! { struct Game { components { Spark } } schedule tick { burst; } }
    /// #[system(Game)]
    /// fn burst(mut commands: Commands<Game>) {
    ///     commands.spawn(Spark); // line 7
    /// }
    ///
    /// let mut game = Game::new();
    /// game.tick();
    /// for entity in &game.entities() {
    ///     // in a debug build: `Some(src/burst.rs:7:14)`
    ///     println!("{entity} was spawned at {:?}", game.spawn_site(entity));
    ///     # assert_eq!(game.spawn_site(entity).is_some(), cfg!(debug_assertions));
    /// }
    /// ```
    ///
    /// Cost: a debug build keeps 16 bytes for each slot.
    ///
    /// Which system has written a value last is known to the package `checked-ecs-history`, and to
    /// a function that watches the systems: [`watch_systems`](crate::Schedules::watch_systems).
    fn spawn_site(&self, entity: Entity) -> Option<&'static Location<'static>> {
        let entities = self.__living();
        entities.contains(entity).then(|| entities.spawn_sites().of(entity)).flatten()
    }

    /// The mark of the world.
    fn world_mark(&self) -> WorldMark {
        self.__living().mark()
    }

    /// Sets the mark of the world. Ids with its former mark are refused from now on.
    fn set_world_mark(&mut self, mark: WorldMark) {
        self.entities_mut().set_mark(mark);
    }

    /// The id of an entity of this world, with the mark of the world. Whether the entity is alive
    /// is not checked.
    fn world_entity(&self, entity: Entity) -> WorldEntity {
        WorldEntity::new(self.world_mark(), entity)
    }

    /// The id without its mark, if it is an id of this world.
    ///
    /// # Errors
    /// If the mark is that of another world.
    fn resolve(&self, id: WorldEntity) -> Result<Entity, ForeignEntity> {
        id.resolve(self.world_mark(), Self::WORLD_NAME)
    }
}

#[diagnostic::do_not_recommend]
impl<W: RawWorld> WorldIds for W {}
