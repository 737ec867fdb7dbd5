//! [`MarkedIds`]: ids that tell their world, for programs with several worlds of one type.

use crate::entity::Entity;
use crate::entity::mark::{WorldEntity, WorldMark};
use crate::error::ForeignEntity;
use crate::raw_world::{RawWorld, WorldFields};

/// Methods of every world for ids that are kept outside of the world, in a program with several worlds of one type: the rooms of a
/// server, or a client and a server.
///
/// An [`Entity`] does not tell its world. In another world *type* it is very unlikely to be alive. In another world of the same type it
/// is often the id of another entity, and no method notices that. A [`WorldEntity`] has the mark of its world, too, and
/// [`resolve`](Self::resolve) refuses it in every world with another mark.
///
/// ```
/// use ecs::prelude::*;
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
/// # Told and not told
/// - The mark is a field of the world. Queries do not read it; it is not in the hash, in saves and in the result of `save::diff`. An
///   [`Entity`] has no mark, so all methods that take an `Entity` are as they were: they cannot tell its world.
/// - A new world, a loaded world and a clone get a mark of their own, and `clone_from`, [`restore`](crate::World::restore) and merges
///   leave the mark of the world that they change. To go on with a clone in place of the original, [set](Self::set_world_mark) the mark
///   of the original.
/// - A mark that a world got by itself has a meaning in its process only. Set a number if ids travel: `WorldMark::new(7)`. Worlds that
///   are peers, with equal entities, get the same number.
/// - Whether the entity is alive is not checked: the methods that take the resolved id do.
///
/// ```
/// # use ecs::prelude::*;
/// # use ecs::entity::{WorldEntity, WorldMark};
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
pub trait MarkedIds: RawWorld {
    /// The mark of the world.
    fn world_mark(&self) -> WorldMark {
        self.__living().mark()
    }

    /// Sets the mark of the world. Ids with its former mark are refused from now on.
    fn set_world_mark(&mut self, mark: WorldMark) {
        self.entities_mut().set_mark(mark);
    }

    /// The id of an entity of this world, with the mark of the world. Whether the entity is alive is not checked.
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

impl<W: RawWorld> MarkedIds for W {}
