//! Relations: components that link their entity, the *source*, to other entities, the *targets*.
//! Both ends can be queried.
//!
//! A relation is stored like any component, in the column of its sources; a relation with several
//! targets is stored as a [`Many`]. Systems read both ends through [`Related`]; [`Relations`] has
//! the methods of worlds. An index beside the column lists the sources of each target. It is
//! derived from the values: therefore a relation in a world is replaced and never mutated in place.

// `reverse_index` lists the sources of each target, and the component rule in `rule` updates it
// whenever a value is inserted or removed, or an entity is despawned. `related` has the read
// access, `verbs` the methods of the world.

mod bubbling;
mod child_of;
mod children;
pub(crate) mod commands;
mod followed;
mod load;
mod many;
mod propagation;
mod query;
mod related;
pub(crate) mod reverse_index;
pub(crate) mod rule;
mod storage;
mod verbs;
mod walk;

pub use bubbling::{Bubbling, bubble};
pub use child_of::ChildOf;
pub use children::{Children, ParentLink};
pub use followed::{RelatedTo, Target, Up};
pub use many::Many;
pub use propagation::{Propagate, propagate, propagate_changed};
pub use query::{Sources, TargetOf};
pub use related::{Dangling, Related, Roots};
pub use verbs::Relations;
pub use walk::{Ancestors, Descendants, DescendantsBottomUp};

use core::any::Any;

use crate::component::markers::LoggedValue;
use crate::component::{Component, ComponentKind, Has, IsComponent};
use crate::entity::Entity;
use crate::error::InsertError;
use crate::raw_world::WorldFields;
use crate::world::World;

/// A component that links its entity to other entities. Derived: `#[derive(Relation)]`.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component)]
/// struct Name(&'static str);
///
/// #[derive(Relation)]
/// #[relation(exclusive, gone = remove)]
/// struct Guards(Entity);
///
/// world! { struct Game { components { Name, Guards } } }
///
/// let mut game = Game::new();
/// let gate = game.spawn(Name("gate"));
/// let guard = game.spawn((Name("guard"), Guards(gate)));
/// let dog = game.spawn((Name("dog"), Guards(gate)));
/// assert_eq!(game.target::<Guards>(dog), Some(gate));
/// assert_eq!(game.sources::<Guards>(gate), [guard, dog]);
/// game.despawn(gate)?;
/// assert!(!game.has::<Guards>(guard));
/// # Ok::<(), ecs::error::NoSuchEntity>(())
/// ```
///
/// The options of the derive set the number of targets of a source, `exclusive` (one) or `many`,
/// and the effect on the source when a target is despawned: [`Gone`]. [`Relations`] has the methods
/// of the world, [`Related`] has all read access.
///
/// Inserting a relation fails if its target is not alive, lacks a component of the option
/// `target(..)`, or is the entity itself, unless the relation has the option `to_self`. For a `symmetric` relation, the target gets a clone that
/// points back; if `Clone` panics, neither end has the relation.
///
/// # Cost
/// Inserting appends the source to the list of its target, 8 bytes for each source. Removals of
/// many sources in a row cost about the same for each, however long the list is, in any order; the
/// first read of a list of more than 64 sources after a removal from its middle moves all of them
/// once. Despawning a target drops its list at once. The same holds for the edges of a [`Many`],
/// which is also searched when an edge is added: one with more than 64 edges that were added one by
/// one stores their positions, about 20 bytes for each.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a relation",
    label = "not a relation",
    note = "add `#[derive(Relation)]` and `#[relation(exclusive)]` or `#[relation(many)]` to `{Self}`, in place of `#[derive(Component)]`"
)]
pub trait Relation: Sized + 'static {
    /// The name of the type, without its module path.
    const RELATION_NAME: &'static str;
    /// The effect on a source when its target is despawned.
    const RELATION_GONE: Gone = Gone::Remove;
    /// Whether the relation is symmetric: if `a` is related to `b`, then `b` is related to `a`.
    const RELATION_SYMMETRIC: bool = false;
    /// Whether cycles are refused.
    const RELATION_ACYCLIC: bool = false;
    /// Whether an entity may be related to itself: `to_self`.
    const RELATION_TO_SELF: bool = false;
    /// Whether the relation names components that every target has: `target(..)`.
    #[doc(hidden)]
    const RELATION_TARGETS: bool = false;
    #[doc(hidden)]
    const __STORED: &'static str = Self::RELATION_NAME;
    /// The component: the relation itself, or [`Many`] of it.
    type Stored: Stored<Relation = Self> + IsComponent;
    #[doc(hidden)]
    type Kind: ComponentKind;
    /// The entity to which the relation points.
    fn target(&self) -> Entity;
    /// Points the relation to another entity. Without the derive it does nothing.
    #[doc(hidden)]
    fn __set_target(&mut self, _target: Entity) {}
    /// The relation that a symmetric relation gives its target: a clone that points to `_target`;
    /// `None` if not symmetric.
    #[doc(hidden)]
    fn with_target(&self, _target: Entity) -> Option<Self> {
        None
    }
}

/// The effect on the sources of a relation when their target is despawned, or loses a component that
/// every target has: `target(Health)`. A relation that is kept then still points to the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gone {
    /// `gone = keep`: the source keeps the relation, which then points to a despawned entity.
    /// [`Related::dangling`] lists these relations.
    Keep,
    /// `gone = remove`, the default: the source loses the relation; a [`Many`] loses the edge to
    /// that target.
    Remove,
    /// `gone = cascade`: the source is despawned, too, and so are its own sources: depth first, the
    /// target before its sources, the sources in their order. Chains may have any length, since no
    /// call is recursive.
    Cascade,
    /// `gone = mark(CleanUp)`: the source keeps the relation, which then points to a despawned
    /// entity, and gets the default of the component `CleanUp` and of the components that `CleanUp`
    /// requires. If it has a `CleanUp` already, that value stays. A system can then query the
    /// marked entities, repair them, and remove the mark.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Component, Default)]
    /// struct CleanUp;
    ///
    /// #[derive(Relation)]
    /// #[relation(exclusive, gone = mark(CleanUp))]
    /// struct Attacks(Entity);
    ///
    /// world! {
    ///     struct Game { components { Attacks, CleanUp } }
    ///     schedule tick { retreat }
    /// }
    ///
    /// #[system(Game)]
    /// fn retreat(marked: Query<Entity, With<CleanUp>>, mut commands: Commands<Game>) {
    ///     for entity in &marked {
    ///         commands.remove::<(Attacks, CleanUp)>(entity);
    ///     }
    /// }
    ///
    /// let mut game = Game::new();
    /// let wolf = game.spawn(());
    /// let hero = game.spawn(Attacks(wolf));
    /// game.despawn(wolf)?;
    /// assert!(game.has::<CleanUp>(hero) && game.target::<Attacks>(hero) == Some(wolf));
    /// game.tick();
    /// assert!(!game.has::<CleanUp>(hero) && !game.has::<Attacks>(hero));
    /// # Ok::<(), ecs::error::NoSuchEntity>(())
    /// ```
    ///
    /// Entities that the same despawn removes, by `cascade`, are not marked. A loaded world has the
    /// marks of its file.
    Mark,
}

impl Gone {
    /// The name of the option.
    const fn spelled(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Remove => "remove",
            Self::Cascade => "cascade",
            Self::Mark => "mark",
        }
    }
}

/// A relation with one target. The relation itself is the component. Implemented for all these
/// relations.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an exclusive relation",
    label = "`{Self}` has many targets",
    note = "`relations::<{Self}>(source)` returns all relations of a source"
)]
pub trait ExclusiveRelation: Relation<Stored = Self> + Stored<Relation = Self> + Component {}
#[diagnostic::do_not_recommend]
impl<R: Relation<Stored = R> + Component> ExclusiveRelation for R {}

/// A relation with any number of targets, stored in the component [`Many`]. Implemented for all
/// these relations.
#[diagnostic::on_unimplemented(
    message = "relation `{Self}` has one target, and is itself the component: write `{Self}`, not `Many<{Self}>`",
    label = "`{Self}` is an exclusive relation",
    note = "a relation with any number of targets is `#[relation(many)]`"
)]
pub trait ManyRelation: Relation<Stored = Many<Self>> {}
#[diagnostic::do_not_recommend]
impl<R: Relation<Stored = Many<R>>> ManyRelation for R {}

#[diagnostic::do_not_recommend]
impl<R: Clone> LoggedValue for Many<R> {
    #[inline]
    fn copy(&self) -> Self {
        self.clone()
    }
}

/// A world that stores relation `R`: the bound of [`Relations`] and [`Sources`]. Implemented for
/// all these worlds.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no relation `{R}`",
    label = "`{R}` is not a relation of `{Self}`",
    note = "list it: `components {{ {R} }}` if it is exclusive, `components {{ name: Many<{R}> }}` if it has many targets",
    note = "if `{R}` is a component without `#[derive(Relation)]`, it has no targets: ask for it with `get`, or in a query"
)]
pub trait HasRelation<R: Relation>: Has<R::Stored> {}
impl<R: Relation, W: Has<R::Stored>> HasRelation<R> for W {}

/// A relation that world `W` stores: the bound of the methods of [`Relations`]. Implemented for all
/// these relations.
///
/// These methods cannot use [`HasRelation`] as their bound. In a world with one component, type
/// inference would infer that component before it knows the type of a value, and then report the
/// value as an error. In other worlds a call without its type would be two errors.
#[diagnostic::on_unimplemented(
    message = "world `{W}` has no relation `{Self}`",
    label = "expected a relation of `{W}`; its value holds the target, such as `ChildOf(target)`",
    note = "add `#[derive(Relation)]` and `#[relation(exclusive)]` or `#[relation(many)]` to `{Self}`, in place of `#[derive(Component)]`, and list it: `components {{ {Self} }}` if it is exclusive, `components {{ name: Many<{Self}> }}` if it has many targets",
    note = "a component without a target is added with `insert`, and read with `get` or in a query"
)]
pub trait RelationIn<W: World>: Relation {
    #[doc(hidden)]
    fn __related(world: &W) -> Related<'_, Self>;
    #[doc(hidden)]
    fn __unrelate(world: &mut W, source: Entity, target: Entity) -> Option<Self>;
    #[doc(hidden)]
    fn __relate(
        self,
        world: &mut W,
        source: Entity,
        position: Option<usize>,
    ) -> Result<Option<Self>, InsertError>;
    #[doc(hidden)]
    fn __relate_batch(
        world: &mut W,
        batch: &mut dyn Iterator<Item = (Entity, Self)>,
    ) -> Result<usize, InsertError>;
}
#[diagnostic::do_not_recommend]
impl<R: Relation, W: HasRelation<R>> RelationIn<W> for R {
    #[inline]
    fn __related(world: &W) -> Related<'_, R> {
        Related { values: world.column::<R::Stored>(), entities: world.__living() }
    }
    fn __unrelate(world: &mut W, source: Entity, target: Entity) -> Option<R> {
        let (values, context) = world.change::<R::Stored>(source);
        values.unrelate(context, target)
    }
    fn __relate(
        self,
        world: &mut W,
        source: Entity,
        position: Option<usize>,
    ) -> Result<Option<Self>, InsertError> {
        verbs::relate(world, source, self, position)
    }
    fn __relate_batch(
        world: &mut W,
        batch: &mut dyn Iterator<Item = (Entity, Self)>,
    ) -> Result<usize, InsertError> {
        verbs::relate_batch(world, batch)
    }
}

/// The component that stores a relation: all edges of one source.
#[doc(hidden)]
pub trait Stored: Sized + 'static {
    /// The relation.
    type Relation: Relation;
    /// Whether the component is the relation itself, so that it has exactly one edge.
    const EXCLUSIVE: bool;
    /// The edges, in the order in which they were added.
    fn edges(&self) -> &[Self::Relation];
    /// The number of edges, which is known without reading them.
    fn count(&self) -> usize;
    /// A value with one edge.
    fn one(edge: Self::Relation) -> Self;
    /// Adds an edge, or replaces the edge to the same target and returns it.
    ///
    /// # Errors
    /// The edge, if the component is exclusive: its value has to be replaced as a whole.
    fn put(&mut self, edge: Self::Relation) -> Result<Option<Self::Relation>, Self::Relation>;
    /// Removes and returns the edge to a target; `None` if there is none, or the component is
    /// exclusive.
    fn take(&mut self, target: Entity) -> Option<Self::Relation>;
    /// Removes the edges to targets for which `keep` is false, unless the component is exclusive.
    /// Returns whether all its edges, or some of several, were kept.
    fn keep_targets(&mut self, keep: &dyn Fn(Entity) -> bool) -> bool;
    /// Returns the last edge.
    fn into_one(self) -> Option<Self::Relation>;
    /// Replaces the targets for which `map` has another entity. Returns whether a clone may have
    /// the result: false for a symmetric exclusive relation to an entity that has a partner
    /// already, which the clone would take away.
    fn map_targets(&mut self, map: &dyn Fn(Entity) -> Option<Entity>) -> bool;
}

/// Stores a target in the field of a relation. A field that is no `Entity`, which the expansion's
/// `target` reports, stays as it is: with an assignment in the expansion there would be a second
/// compile error.
pub fn set_target<T: 'static>(field: &mut T, target: Entity) {
    if let Some(field) = (field as &mut dyn Any).downcast_mut() {
        *field = target;
    }
}

/// Replaces the target of an edge if `map` has another entity for it. Returns whether it has.
fn map_target<R: Relation>(edge: &mut R, map: &dyn Fn(Entity) -> Option<Entity>) -> bool {
    let target = map(edge.target());
    if let Some(target) = target {
        edge.__set_target(target);
    }
    target.is_some()
}

impl<R: Relation<Stored = R>> Stored for R {
    type Relation = R;
    const EXCLUSIVE: bool = true;

    #[inline(always)]
    fn edges(&self) -> &[R] {
        core::slice::from_ref(self)
    }
    fn count(&self) -> usize {
        1
    }
    fn one(edge: R) -> R {
        edge
    }
    fn put(&mut self, edge: R) -> Result<Option<R>, R> {
        Err(edge)
    }
    fn take(&mut self, _: Entity) -> Option<R> {
        None
    }
    fn keep_targets(&mut self, keep: &dyn Fn(Entity) -> bool) -> bool {
        keep(self.target())
    }
    fn into_one(self) -> Option<R> {
        Some(self)
    }
    fn map_targets(&mut self, map: &dyn Fn(Entity) -> Option<Entity>) -> bool {
        map_target(self, map) || !R::RELATION_SYMMETRIC
    }
}

/// The bound of a symmetric relation: `Clone`, for the value of the other end.
#[diagnostic::on_unimplemented(
    message = "relation `{Self}` is `symmetric` and not `Clone`: its other end gets a clone",
    label = "not `Clone`",
    note = "add `#[derive(Clone)]` to `{Self}`"
)]
#[doc(hidden)]
pub trait SymmetricRelation: Sized {
    /// Clones the relation.
    fn twin(&self) -> Self;
}
#[diagnostic::do_not_recommend]
impl<T: Clone> SymmetricRelation for T {
    fn twin(&self) -> Self {
        self.clone()
    }
}

/// A bound that no world meets: the error that it causes tells the user to list a relation with
/// many targets as [`Many`].
#[diagnostic::on_unimplemented(
    message = "world `{Self}`: relation `{R}` has many targets, and must be listed as `Many<{R}>`",
    label = "write `Many<{R}>`",
    note = "`components {{ name: Many<{R}> }}`; a relation with one target, `#[relation(exclusive)]`, is listed by its own name"
)]
#[doc(hidden)]
pub trait ListsMany<R> {}
