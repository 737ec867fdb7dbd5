//! [`Lookup`]: a system parameter that finds entities by the value of an indexed component.

use core::borrow::Borrow;
use core::ops::RangeBounds;

use crate::component::{EntityRange, FoundEntities, Groups, IndexForm, Indexed, Ordered};
use crate::entity::Entity;
use crate::view::View;

/// System parameter: finds entities by the value of their component `T`, which is indexed (see
/// [`Indexed`]).
///
/// It reads all values of `T`, so no other parameter of the system may write `T`.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component, PartialEq, Eq, Hash)]
/// #[component(index)]
/// struct Cell(i32);
/// #[derive(Component)]
/// struct Looks { at: i32, sees: usize }
///
/// world! {
///     struct Game { components { Cell, Looks } }
///     schedule tick { look }
/// }
///
/// #[system(Game)]
/// fn look(looks: &mut Looks, cells: Lookup<Cell>) {
///     looks.sees = cells.find(&Cell(looks.at)).len();
/// }
///
/// let mut game = Game::new();
/// game.spawn_batch([3, 4, 3].map(Cell));
/// let eye = game.spawn(Looks { at: 3, sees: 0 });
/// game.tick();
/// assert_eq!(game.get::<Looks>(eye).unwrap().sees, 2);
/// ```
pub struct Lookup<'w, T>(View<'w, T>);

copy!([T] Lookup<'_, T>);

impl<'w, T: Indexed> Lookup<'w, T> {
    /// Makes the parameter, to call a system as a plain function:
    /// `Lookup::new(game.columns().cell)`.
    pub const fn new(view: View<'w, T>) -> Self {
        Self(view)
    }

    /// The entities whose key equals `key`, in the order of their slots.
    pub fn find<Q: ?Sized>(self, key: &Q) -> FoundEntities<'w>
    where
        T::Key: Borrow<Q>,
        T::Form: IndexForm<Q>,
    {
        self.0.find(key)
    }

    /// The first entity whose key equals `key`, in the order of the slots.
    pub fn find_one<Q: ?Sized>(self, key: &Q) -> Option<Entity>
    where
        T::Key: Borrow<Q>,
        T::Form: IndexForm<Q>,
    {
        self.0.find_one(key)
    }

    /// The values, each with the entities whose keys are equal: see
    /// [`World::group_by`](crate::World::group_by).
    pub fn group_by(self) -> Groups<'w, T> {
        self.0.group_by()
    }

    /// The value of an entity; `None` if it has none or is despawned.
    pub fn get(self, entity: Entity) -> Option<&'w T> {
        self.0.get(entity)
    }
}

impl<'w, T: Indexed> Lookup<'w, T> {
    /// The entities whose key is in a range, in ascending order of the keys; with `rev`, in
    /// descending order.
    pub fn find_range(self, range: impl RangeBounds<T::Key>) -> EntityRange<'w>
    where
        T: Ordered,
    {
        self.0.find_range(range)
    }

    /// The smallest value and its entity.
    pub fn find_first(self) -> Option<(Entity, &'w T)>
    where
        T: Ordered,
    {
        self.0.find_first()
    }

    /// The greatest value and its entity.
    pub fn find_last(self) -> Option<(Entity, &'w T)>
    where
        T: Ordered,
    {
        self.0.find_last()
    }
}

debug!([T] Lookup<'_, T>, |this, f| f.debug_tuple("Lookup").field(&this.0).finish());
