//! [`Storage`]: a system parameter that adds and removes one component at once, while other
//! components are iterated.

use core::borrow::Borrow;
use core::ops::RangeBounds;

use crate::base::tick::Ticks;
use crate::component::kind::UniqueItem;
use crate::component::{Component, EntityRange, FoundEntities, Hooked, IndexForm, Indexed, Ordered};
use crate::entity::Entity;
use crate::error::{InsertError, NoSuchEntity, Refused};
use crate::system::HookState;
use crate::view::ViewMut;

/// System parameter: adds and removes the component `T` at once, while queries of the same system
/// iterate over other components.
///
/// Adding or removing a component moves no other value, so references to other components stay
/// valid. If another parameter of the system reads `T` or filters by it, `cargo check` reports an
/// error. Components that `T` requires are not added, since the parameter has no access to their
/// columns.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component)] struct Health(u32);
/// #[derive(Component)] struct Dying;
///
/// world! { struct Game { components { Health, Dying } } schedule tick { mark } }
///
/// #[system(Game)]
/// fn mark(healths: Query<(Entity, &Health)>, mut dying: Storage<Dying>) {
///     for (entity, health) in &healths {
///         if health.0 == 0 {
///             dying.insert(entity, Dying).unwrap();
///         }
///     }
/// }
///
/// let mut game = Game::new();
/// let entity = game.spawn(Health(0));
/// game.tick();
/// assert!(game.has::<Dying>(entity));
/// ```
#[derive(Debug)]
pub struct Storage<'w, T> {
    pub(crate) view: ViewMut<'w, T>,
    /// The ticks of the system's run, if `T` is tracked or has a component rule.
    pub(crate) ticks: Ticks,
    pub(crate) world: &'static str,
}

impl<T: Component> Storage<'_, T> {
    /// Inserts the value into `entity`, and returns the value that it replaces.
    ///
    /// # Errors
    /// If the entity is despawned, or a component rule refuses the value.
    pub fn insert(&mut self, entity: Entity, value: T) -> Result<Option<T>, InsertError> {
        let refused = |reason| {
            let (component, world) = (T::COMPONENT_NAME, self.world);
            Refused { entity: Some(entity), component, world, reason }.into()
        };
        let mut value = value; // the signature is shown in errors
        if let Some(replaced) = self.view.replace_at(entity, &mut value, self.ticks) {
            return replaced.map(|()| Some(value)).map_err(refused);
        }
        if let Some(reason) = self.view.refuse(entity, &value) {
            return Err(refused(reason));
        }
        let inserted = self.view.insert_at(entity, value, self.ticks);
        inserted.map_err(|_| NoSuchEntity { entity, world: self.world }.into())
    }

    /// Removes the value of `entity` and returns it; `None` if the entity has none or is despawned.
    pub fn remove(&mut self, entity: Entity) -> Option<T> {
        self.view.remove_at(entity, self.ticks)
    }

    /// The value of `entity`: `&mut T`, or `Mut<T>` if `T` is tracked, or `&T` if `T` is a key.
    pub fn get_mut(&mut self, entity: Entity) -> Option<UniqueItem<'_, T>> {
        self.view.get_mut_at(entity, self.ticks)
    }

    /// Iterates over all values with their entities, in the order of the slots: as `&mut T`, or
    /// `Mut<T>` if `T` is tracked.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Entity, UniqueItem<'_, T>)> {
        self.view.iter_mut_at(self.ticks)
    }
}

impl<T: 'static> Storage<'_, T> {
    /// The value of `entity`; `None` if the entity has none or is despawned.
    pub fn get(&self, entity: Entity) -> Option<&T> {
        self.view.get(entity)
    }

    /// Whether `entity` has a value.
    pub fn contains(&self, entity: Entity) -> bool {
        self.view.contains(entity)
    }

    /// Iterates over all values with their entities, in the order of the slots.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, &T)> {
        self.view.iter()
    }

    /// The number of entities that have a value.
    pub fn len(&self) -> usize {
        self.view.len()
    }

    /// Whether no entity has a value.
    pub fn is_empty(&self) -> bool {
        self.view.is_empty()
    }
}

impl<T: Hooked> Storage<'_, T> {
    /// The state of the hook of the component, as of the last change.
    #[inline]
    pub fn hook_state(&self) -> HookState<'_, T> {
        HookState::new(self.view.as_view())
    }
}

impl<T: Indexed> Storage<'_, T> {
    /// The entities whose key equals `key`, in the order of their slots: see [`Indexed`].
    pub fn find<Q: ?Sized>(&self, key: &Q) -> FoundEntities<'_>
    where
        T::Key: Borrow<Q>,
        T::Form: IndexForm<Q>,
    {
        self.view.find(key)
    }

    /// The first entity whose key equals `key`, in the order of the slots.
    pub fn find_one<Q: ?Sized>(&self, key: &Q) -> Option<Entity>
    where
        T::Key: Borrow<Q>,
        T::Form: IndexForm<Q>,
    {
        self.view.find_one(key)
    }
}

impl<T: Indexed> Storage<'_, T> {
    /// The entities whose key is in a range, in ascending order of the keys: see [`Ordered`].
    pub fn find_range(&self, range: impl RangeBounds<T::Key>) -> EntityRange<'_>
    where
        T: Ordered,
    {
        self.view.as_view().find_range(range)
    }

    /// The smallest value and its entity: see [`Ordered`].
    pub fn find_first(&self) -> Option<(Entity, &T)>
    where
        T: Ordered,
    {
        self.view.as_view().find_first()
    }

    /// The greatest value and its entity: see [`Ordered`].
    pub fn find_last(&self) -> Option<(Entity, &T)>
    where
        T: Ordered,
    {
        self.view.as_view().find_last()
    }
}
