//! One component's column as a parameter: structural change while other columns are iterated.
#![expect(unsafe_code, reason = "a parameter is made from a world whose accesses were checked")]

use core::borrow::Borrow;

use super::SystemParam;
use super::access::Access;
use crate::base::tick::Ticks;
use crate::component::kind::UniqueItem;
use crate::component::{Component, FoundEntities, Has, IndexKey, Indexed};
use crate::entity::Entity;
use crate::error::{InsertError, NoSuchEntity, Refused};
use crate::storage::kind::ColumnKind;
use crate::view::ViewMut;
use crate::world::WorldCell;

/// As a parameter: adds and removes `T` *now*, while queries of the same system go through other components.
///
/// Nothing moves when a component is added or removed, so this is sound; a query of the same system that looks at `T`,
/// or filters by it, is refused by `cargo check`. Components that `T` requires are not added: the other columns are
/// not within reach.
#[derive(Debug)]
pub struct Storage<'w, T> {
    pub(crate) view: ViewMut<'w, T>,
    /// Those of the system, if `T` is tracked or has a rule.
    pub(crate) ticks: Ticks,
    pub(crate) world: &'static str,
}

impl<T: Component> Storage<'_, T> {
    /// Gives `entity` the value, and the value that it replaces.
    ///
    /// # Errors
    /// If the entity does not live, or a rule of the component refuses the value.
    pub fn insert(&mut self, entity: Entity, value: T) -> Result<Option<T>, InsertError> {
        if let Some(reason) = self.view.refuse(entity, &value) {
            let (component, world) = (T::COMPONENT_NAME, self.world);
            return Err(Refused { entity: Some(entity), component, world, reason }.into());
        }
        let inserted = self.view.insert_at(entity, value, self.ticks);
        inserted.map_err(|_| NoSuchEntity { entity, world: self.world }.into())
    }

    /// Takes the value of `entity` away; `None` if it has none or does not live.
    pub fn remove(&mut self, entity: Entity) -> Option<T> {
        self.view.remove_at(entity, self.ticks)
    }

    /// The value of `entity`, mutable: `&mut T`, or `Mut<T>` if it is tracked; shared, `&T`, if it is a key.
    pub fn get_mut(&mut self, entity: Entity) -> Option<UniqueItem<'_, T>> {
        self.view.get_mut_at(entity, self.ticks)
    }

    /// All values, mutable, with their entities, in the order of the slots: as `&mut T`, or `Mut<T>` if it is tracked.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Entity, UniqueItem<'_, T>)> {
        self.view.iter_mut_at(self.ticks)
    }
}

impl<T: 'static> Storage<'_, T> {
    /// The value of `entity`.
    pub fn get(&self, entity: Entity) -> Option<&T> {
        self.view.get(entity)
    }

    /// Whether `entity` has a value.
    pub fn contains(&self, entity: Entity) -> bool {
        self.view.contains(entity)
    }

    /// All values with their entities, in the order of the slots.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, &T)> {
        self.view.iter()
    }

    /// How many entities have a value.
    pub fn len(&self) -> usize {
        self.view.len()
    }

    /// Whether no entity has a value.
    pub fn is_empty(&self) -> bool {
        self.view.is_empty()
    }
}

impl<T: Indexed> Storage<'_, T> {
    /// The entities whose key equals `key`, in the order of their slots: see [`Indexed`].
    pub fn find<Q: IndexKey + ?Sized>(&self, key: &Q) -> FoundEntities<'_>
    where
        T::Key: Borrow<Q>,
    {
        self.view.find(key)
    }

    /// The first of them.
    pub fn find_one<Q: IndexKey + ?Sized>(&self, key: &Q) -> Option<Entity>
    where
        T::Key: Borrow<Q>,
    {
        self.view.find_one(key)
    }
}

// SAFETY: it writes values and presence of `T`; the set of columns of a block is atomic.
unsafe impl<T: 'static, W: Has<T>> SystemParam<W> for Storage<'_, T> {
    const ACCESS: Access = Access::storage(W::INDEX);
    type State = ();
    type Item<'w> = Storage<'w, T>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> Storage<'w, T> {
        // SAFETY: the caller keeps everybody else away from this column.
        let column = unsafe { world.column_mut::<T>() };
        let ticks = if W::Kind::TRACKED || W::Kind::GUARDED { world.ticks() } else { Ticks::default() };
        Storage { view: ViewMut::new(column, world.entities(), W::INDEX), ticks, world: W::NAME }
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Storage<'_, T>) -> Storage<'a, T> {
        Storage { view: item.view.reborrow(), ..*item }
    }
}
