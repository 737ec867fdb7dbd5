//! [`Res`] and [`ResMut`]: resources as system parameters.

use crate::base::tick::Tick;
use crate::change::ResourceChange;
use crate::resource::TrackedResource;

/// System parameter: shared access to the resource `R`.
///
/// Systems that take `Res` of the same resource run in parallel, unless the resource is declared
/// with `#[resource(shared)]`.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component)] struct Position(f32);
/// #[derive(Resource)] struct DeltaTime(f32);
///
/// world! {
///     struct Game { components { Position } resources { DeltaTime } }
///     schedule tick { movement }
/// }
///
/// #[system(Game)]
/// fn movement(position: &mut Position, delta: Res<DeltaTime>) {
///     position.0 += delta.0;
/// }
///
/// let mut game = Game::new(DeltaTime(0.5));
/// let ball = game.spawn(Position(1.0));
/// game.tick();
/// assert_eq!(game.get::<Position>(ball).unwrap().0, 1.5);
/// ```
pub struct Res<'w, R> {
    pub(super) value: &'w R,
    /// `None` if the resource is not tracked, or was made without a world.
    pub(super) change: Option<ResourceChange<'w>>,
}

impl<'w, R> Res<'w, R> {
    /// Makes the parameter from a reference, to call a system as a plain function. The resource
    /// counts as changed.
    pub const fn new(resource: &'w R) -> Self {
        Self { value: resource, change: None }
    }

    /// The reference to the resource, for the whole run of the system.
    pub const fn into_inner(self) -> &'w R {
        self.value
    }

    /// Whether the resource was changed since the last run of the system at this place: see
    /// [`TrackedResource`].
    #[inline]
    pub fn is_changed(&self) -> bool
    where
        R: TrackedResource,
    {
        self.change.is_none_or(ResourceChange::is_changed)
    }

    /// Whether the resource was changed after this tick: see [`TrackedResource`].
    #[inline]
    pub fn changed_since(&self, tick: Tick) -> bool
    where
        R: TrackedResource,
    {
        self.change.is_none_or(|change| change.changed_since(tick))
    }
}

copy!([R] Res<'_, R>);

deref!([R] Res<'_, R> => R, |this| this.value);

/// System parameter: exclusive access to the resource `R`.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Resource, Default)] struct Score(u32);
///
/// world! {
///     struct Game { resources { Score } }
///     schedule tick { win }
/// }
///
/// #[system(Game)]
/// fn win(mut score: ResMut<Score>) {
///     score.0 += 10;
/// }
///
/// let mut game = Game::new(Score::default());
/// game.tick();
/// assert_eq!(game.resource::<Score>().0, 10);
/// ```
pub struct ResMut<'w, R> {
    pub(super) value: &'w mut R,
    /// `None` if the resource is not tracked, or was made without a world.
    pub(super) change: Option<ResourceChange<'w>>,
}

impl<'w, R> ResMut<'w, R> {
    /// Makes the parameter from a reference, to call a system as a plain function. The resource
    /// counts as changed.
    pub const fn new(resource: &'w mut R) -> Self {
        Self { value: resource, change: None }
    }

    /// The reference to the resource, for the whole run of the system. A tracked resource counts as
    /// changed.
    pub fn into_inner(mut self) -> &'w mut R {
        self.mark();
        self.value
    }

    /// Whether the resource was changed since the last run of the system at this place, changes
    /// through this parameter included: see [`TrackedResource`].
    #[inline]
    pub fn is_changed(&self) -> bool
    where
        R: TrackedResource,
    {
        self.change.is_none_or(ResourceChange::is_changed)
    }

    /// Whether the resource was changed after this tick, changes through this parameter included:
    /// see [`TrackedResource`].
    #[inline]
    pub fn changed_since(&self, tick: Tick) -> bool
    where
        R: TrackedResource,
    {
        self.change.is_none_or(|change| change.changed_since(tick))
    }

    /// Marks the resource as changed.
    #[inline]
    pub fn set_changed(&mut self)
    where
        R: TrackedResource,
    {
        self.mark();
    }

    /// Sets the value unless it is already equal. Returns whether it was changed.
    #[inline]
    pub fn set_if_neq(&mut self, value: R) -> bool
    where
        R: TrackedResource + PartialEq,
    {
        let changed = *self.value != value;
        if changed {
            **self = value;
        }
        changed
    }

    #[inline(always)]
    fn mark(&mut self) {
        if let Some(change) = self.change {
            change.mark();
        }
    }
}

impl<R> ResMut<'_, R> {
    /// The parameter for one call of a system's function.
    #[inline(always)]
    pub(super) const fn reborrow(&mut self) -> ResMut<'_, R> {
        ResMut { value: self.value, change: self.change }
    }
}

deref!([R] ResMut<'_, R> => R, |this| this.value);

deref_mut!([R] ResMut<'_, R>, |this| { this.mark(); this.value });

debug!([R: core::fmt::Debug] Res<'_, R>, |this, f| (**this).fmt(f));
debug!([R: core::fmt::Debug] ResMut<'_, R>, |this, f| (**this).fmt(f));
