//! The index of a component, as a parameter.
#![expect(unsafe_code, reason = "parameters are made from a world whose accesses were checked")]

use core::borrow::Borrow;
use core::fmt;

use super::SystemParam;
use super::access::Access;
use crate::base::component_set::ComponentSet;
use crate::component::{FoundEntities, Has, IndexKey, Indexed};
use crate::entity::Entity;
use crate::view::View;
use crate::world::WorldCell;

/// As a parameter: finds entities by their `T`, which is indexed: see [`Indexed`]. It reads all `T`s, so that no other
/// parameter of the system may change one.
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

impl<T> Clone for Lookup<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Lookup<'_, T> {}

impl<'w, T: Indexed> Lookup<'w, T> {
    /// For calling a system as the function it is: `Lookup::new(game.columns().cell)`.
    pub const fn new(view: View<'w, T>) -> Self {
        Self(view)
    }

    /// The entities whose key equals `key`, in the order of their slots.
    pub fn find<Q: IndexKey + ?Sized>(self, key: &Q) -> FoundEntities<'w>
    where
        T::Key: Borrow<Q>,
    {
        self.0.find(key)
    }

    /// The first of them.
    pub fn find_one<Q: IndexKey + ?Sized>(self, key: &Q) -> Option<Entity>
    where
        T::Key: Borrow<Q>,
    {
        self.0.find_one(key)
    }

    /// The value of an entity.
    pub fn get(self, entity: Entity) -> Option<&'w T> {
        self.0.get(entity)
    }
}

impl<T> fmt::Debug for Lookup<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lookup").field(&self.0).finish()
    }
}

// SAFETY: values, presence and stamps of `T` are read.
unsafe impl<T: Indexed, W: Has<T>> SystemParam<W> for Lookup<'_, T> {
    const ACCESS: Access =
        Access { stamps: ComponentSet::EMPTY.with(W::INDEX), ..Access::read(W::INDEX).optional() };
    type State = ();
    type Item<'w> = Lookup<'w, T>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> Lookup<'w, T> {
        // SAFETY: the caller keeps writers away.
        Lookup(View::new(unsafe { world.column::<T>() }, world.entities()))
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Lookup<'_, T>) -> Lookup<'a, T> {
        *item
    }
}
