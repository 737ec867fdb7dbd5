//! [`Model`]: the description of a simulation that can be divided among workers.

use ecs::save::{ComponentList, Saved};
use ecs::{Component, Entity, Has, World};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::hash::hash_component;
use crate::{GlobalId, Partition, SharedList, Space};

/// A simulation that can be divided: the type of its worlds, the places of its entities, and the
/// components of which neighbours have copies.
///
/// See [the crate](crate#a-model) for an example.
pub trait Model: Sized + 'static {
    /// The world of each worker. It derives `Serialize` and `Deserialize`, for checkpoints.
    type World: World + Saved + Has<GlobalId> + Has<Self::Place>;

    /// The component that gives an entity its place. An entity without it stays where it is, unless
    /// it is a [companion](Self::companions).
    type Place: Component;

    /// All components that entities take with them to another worker, as a tuple.
    type Components: Migrating<Self::World>;

    /// The resources that the workers exchange after each tick: `()`, a [`Halo`](crate::Halo),
    /// [`Totals`](crate::Totals), [`Messages`](crate::Messages), or a tuple of them.
    type Shared: SharedList<Self>;

    /// The type of the places.
    type Space: Space;

    /// The names of components that no entity with a place has, and that migrating entities
    /// therefore cannot lose.
    const STAYS: &'static [&'static str] = &[];

    /// Whether the entities of one place may be on several workers, when a place has more of them
    /// than a worker should have. A halo then also has entities of the worker's own places, which
    /// are on other workers. A model whose systems look for others at an entity's place in the
    /// halo, too, may say so.
    const DIVIDES_PLACES: bool = false;

    /// The places.
    fn space(&self) -> &Self::Space;

    /// The number of the place of an entity.
    fn place(&self, place: &Self::Place) -> u32;

    /// Makes the world of one worker, with the entities whose places it owns: see [`Part::owns`].
    /// All workers together make each entity once.
    fn build(&self, part: &Part<'_>) -> Self::World;

    /// Sets what is not saved with a world, such as its
    /// [`Parallelism`](ecs::schedule::Parallelism): called for each world that was built or loaded.
    fn prepare(&self, world: &mut Self::World) {
        let _ = world;
    }

    /// Runs one tick of a world: its schedule.
    fn tick(&self, world: &mut Self::World);

    /// Adds the entities that go with an entity when it moves to another worker: its children, and
    /// others that have no place of their own. [`Entity`] ids in the components of entities that
    /// move together, such as those of relations, are mapped to the new ids.
    fn companions(&self, world: &Self::World, entity: Entity, companions: &mut Vec<Entity>) {
        let _ = (world, entity, companions);
    }
}

/// The worker for which [`Model::build`] makes a world.
#[derive(Clone, Copy, Debug)]
pub struct Part<'p> {
    pub(crate) partition: &'p Partition,
    pub(crate) worker: usize,
}

impl Part<'_> {
    /// The number of the worker.
    pub fn worker(&self) -> usize {
        self.worker
    }

    /// The places that the worker owns.
    pub fn places(&self) -> std::ops::Range<u32> {
        self.partition.of(self.worker)
    }

    /// Whether the worker owns a place.
    #[inline]
    pub fn owns(&self, place: u32) -> bool {
        self.places().contains(&place)
    }
}

/// Components of world `W` that go with their entities to another worker: a tuple of one to twelve
/// components that are `Serialize` and `Deserialize`.
pub trait Migrating<W: World>: ComponentList<W> {
    #[doc(hidden)]
    fn indices(indices: &mut Vec<usize>);
    #[doc(hidden)]
    fn hash(world: &W) -> Result<u64, String>;
}

macro_rules! migrating {
    ($($name:ident)+) => {
        impl<W: World + Has<GlobalId> $(+ Has<$name>)+, $($name: Component + Serialize + DeserializeOwned),+> Migrating<W>
            for ($($name,)+)
        {
            fn indices(indices: &mut Vec<usize>) {
                $(indices.push(<W as Has<$name>>::INDEX);)+
            }

            fn hash(world: &W) -> Result<u64, String> {
                let mut sum = 0_u64;
                $(sum = sum.wrapping_add(hash_component::<W, $name>(world)?);)+
                Ok(sum)
            }
        }
    };
}
migrating!(A);
migrating!(A B);
migrating!(A B C);
migrating!(A B C D);
migrating!(A B C D E);
migrating!(A B C D E F);
migrating!(A B C D E F G);
migrating!(A B C D E F G H);
migrating!(A B C D E F G H I);
migrating!(A B C D E F G H I J);
migrating!(A B C D E F G H I J K);
migrating!(A B C D E F G H I J K L);
