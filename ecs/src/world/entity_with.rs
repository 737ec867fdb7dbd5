//! [`EntityWith`]: a handle of one entity whose type lists components that the entity has.

use core::marker::PhantomData;

use super::{EntityRef, World};
use crate::base::typeset::{EmptySet, PutAt, Taken};
use crate::bundle::{AddTo, IsBundle};
use crate::component::Has;
use crate::entity::Entity;
use crate::raw_world::RawWorld;

/// A handle for reading one entity that has all components of the bundle `B`: see
/// [`World::entity_with`].
///
/// The world is borrowed as long as the handle exists, so that the entity keeps the components.
pub struct EntityWith<'w, W, B> {
    world: &'w W,
    entity: Entity,
    of: PhantomData<fn() -> B>,
}

copy!([W, B] EntityWith<'_, W, B>);

impl<'w, W: World, B> EntityWith<'w, W, B> {
    /// `entity` has the components of `B`.
    pub(super) fn new(world: &'w W, entity: Entity) -> Self {
        Self { world, entity, of: PhantomData }
    }

    /// The id of the entity.
    pub fn id(self) -> Entity {
        self.entity
    }

    /// The component `T` of the entity, which is one of `B`.
    pub fn get<T: 'static>(self) -> &'w T
    where
        W: Has<T>,
        B: Lists<W, T>,
    {
        self.world.get(self.entity).expect("`entity_with` has found the components")
    }

    /// The handle that asks for other components, too.
    pub fn as_ref(self) -> EntityRef<'w, W> {
        EntityRef::new(self.world, self.entity)
    }
}

debug!([W: World, B] EntityWith<'_, W, B>, |this, f| this.as_ref().fmt(f));

/// A bundle that has the component `T`. Implemented for these bundles.
#[diagnostic::on_unimplemented(
    message = "the type of this handle does not list component `{T}`",
    label = "`{T}` may be missing",
    note = "add `{T}` to the components of `entity_with::<(..)>`, or ask for an `Option`: `handle.as_ref().get::<{T}>()`"
)]
pub trait Lists<W, T> {}
#[diagnostic::do_not_recommend]
impl<W, T, B> Lists<W, T> for B
where
    W: RawWorld + Has<T>,
    T: 'static,
    B: IsBundle<W> + AddTo<W, EmptySet, <B as IsBundle<W>>::Shape>,
    <B as AddTo<W, EmptySet, <B as IsBundle<W>>::Shape>>::Out: PutAt<<W as Has<T>>::TypeIndex, T>,
    <<B as AddTo<W, EmptySet, <B as IsBundle<W>>::Shape>>::Out as PutAt<<W as Has<T>>::TypeIndex, T>>::Found:
        IsListed<T>,
{
}

/// Implemented for `Taken`: the bundle has the component `T`.
#[doc(hidden)]
pub trait IsListed<T> {}
#[diagnostic::do_not_recommend]
impl<T> IsListed<T> for Taken {}
