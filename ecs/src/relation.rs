//! Relations: components that point from their entity, the *source*, to others, the *targets*, and that are known from both
//! ends.
//!
//! A relation is stored like any component, in the column of its sources; one of several targets as a [`Many`]. The way
//! back is a [`web`] beside the values, which the [`rule`] of the component keeps right by every way in which values come
//! and go, and entities die. What is asked of both is [`related`]; what changes them are the [`verbs`].
//!
//! Since the web follows the values, a value in a world is replaced and never changed in place.

mod child_of;
#[cfg(feature = "serde")]
mod load;
mod many;
mod query;
mod related;
mod reverse_index;
pub(crate) mod rule;
mod storage;
mod verbs;
mod walk;

pub use child_of::ChildOf;
pub use many::Many;
pub use query::{Sources, TargetOf};
pub use related::{Dangling, Related, Roots};
pub use rule::Relating;
pub use verbs::Relations;
pub use walk::{Ancestors, Descendants, DescendantsBottomUp};

use crate::component::{Component, ComponentKind, Has};
use crate::entity::Entity;
use crate::error::InsertError;
use crate::world::World;

/// A component that points to other entities. Derived: `#[derive(Relation)]`.
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
/// # Ok::<(), ecs::NoSuchEntity>(())
/// ```
///
/// The derive says how many targets a source has, `exclusive` or `many`, and what becomes of it when a target dies:
/// [`Gone`]. See there, and at [`Relations`] and [`Related`], for what can be done with it.
///
/// A relation is refused where it is inserted if its target does not live, or is the entity itself. Of a `symmetric` one
/// the other end is given a clone; if that panics, the source is left without the relation, as the target is.
///
/// Cost: a source is appended to the list of its target, which takes 8 bytes for each. To take it out again follows the
/// number of the target's sources, unless it is the last one; when a target dies its list goes as a whole.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a relation",
    label = "not a relation",
    note = "add `#[derive(Relation)]` and `#[relation(exclusive)]` or `#[relation(many)]` to `{Self}`, in place of `#[derive(Component)]`"
)]
pub trait Relation: Sized + Send + Sync + 'static {
    /// The type's own name.
    const RELATION_NAME: &'static str;
    /// What becomes of a source when its target dies.
    const RELATION_GONE: Gone = Gone::Remove;
    /// Whether it holds both ways.
    const RELATION_SYMMETRIC: bool = false;
    /// Whether it must not lead back to where it began.
    const RELATION_ACYCLIC: bool = false;
    #[doc(hidden)]
    const __STORED: &'static str = Self::RELATION_NAME;
    /// The component: the relation itself, or [`Many`] of it.
    type Stored: Stored<Relation = Self> + Component;
    #[doc(hidden)]
    type Kind: ComponentKind;
    /// Where it points to.
    fn target(&self) -> Entity;
    /// The same from the target's end, for a symmetric relation.
    #[doc(hidden)]
    fn toward(&self, _target: Entity) -> Option<Self> {
        None
    }
}

/// What becomes of a source when its target dies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gone {
    /// `gone = keep`: nothing. The id dangles until somebody heals it: see [`Related::dangling`].
    Keep,
    /// `gone = remove`: it loses the relation, and a [`Many`] the edge to it. So it is if nothing is said.
    Remove,
    /// `gone = cascade`: it dies, too, and so on: the target first, then its sources in their order, each with all that
    /// dies with it. However long the chain is.
    Cascade,
    /// `gone = mark(CleanUp)`: the source keeps the relation, whose id dangles, and gets the default of the component `CleanUp`
    /// and of the components that `CleanUp` requires. A `CleanUp` that it has already stays as it is. A system queries the
    /// marked entities, repairs them, and removes the mark.
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
    /// fn retreat(bereaved: Query<Entity, With<CleanUp>>, mut commands: Commands<Game>) {
    ///     for entity in &bereaved {
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
    /// # Ok::<(), ecs::NoSuchEntity>(())
    /// ```
    ///
    /// Entities that die together, by `cascade`, are not marked. A loaded world has the marks of its file.
    Mark,
}

/// A relation with one target: it is its own component.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an exclusive relation",
    label = "has no target of which there is only one",
    note = "of a relation with many targets ask for `relations::<{Self}>(source)`"
)]
pub trait ExclusiveRelation: Relation<Stored = Self> + Stored<Relation = Self> + Component {}
#[diagnostic::do_not_recommend]
impl<R: Relation<Stored = R> + Component> ExclusiveRelation for R {}

/// A relation with any number of targets: its component is [`Many`] of it. Implemented wherever it holds.
#[diagnostic::on_unimplemented(
    message = "relation `{Self}` has one target, and is its own component: write `{Self}`, not `Many<{Self}>`",
    label = "`{Self}` is an exclusive relation",
    note = "a relation with any number of targets is `#[relation(many)]`"
)]
pub trait ManyRelation: Relation<Stored = Many<Self>> {}
#[diagnostic::do_not_recommend]
impl<R: Relation<Stored = Many<R>>> ManyRelation for R {}

/// A world that stores a relation: what [`Relations`] and [`Sources`] ask for. Implemented wherever it holds.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no relation `{R}`",
    label = "`{R}` is not a relation of `{Self}`",
    note = "list it: `components {{ {R} }}` if it is exclusive, `components {{ name: Many<{R}> }}` if it has many targets"
)]
pub trait HasRelation<R: Relation>: Has<R::Stored> {}
impl<R: Relation, W: Has<R::Stored>> HasRelation<R> for W {}

/// A relation that world `W` stores: [`HasRelation`] from the other side, which the verbs that take a value ask for. Implemented
/// wherever it holds.
///
/// In a world with one component the compiler would take that one for what [`HasRelation`] stores, while the type of the value is
/// not known yet, and then complain of the value.
#[diagnostic::on_unimplemented(
    message = "world `{W}` has no relation `{Self}`",
    label = "`{Self}` is not a relation of `{W}`",
    note = "list it: `components {{ {Self} }}` if it is exclusive, `components {{ name: Many<{Self}> }}` if it has many targets"
)]
pub trait RelationIn<W: World>: Relation {
    #[doc(hidden)]
    fn __relate(
        self,
        world: &mut W,
        source: Entity,
        place: Option<usize>,
    ) -> Result<Option<Self>, InsertError>;
}
#[diagnostic::do_not_recommend]
impl<R: Relation, W: HasRelation<R>> RelationIn<W> for R {
    fn __relate(
        self,
        world: &mut W,
        source: Entity,
        place: Option<usize>,
    ) -> Result<Option<Self>, InsertError> {
        verbs::relate(world, source, self, place)
    }
}

/// A relation as it lies in a column: all edges that go out from one source.
pub trait Stored: Sized + Send + Sync + 'static {
    /// The relation.
    type Relation: Relation;
    /// Whether there is always one edge, and it is this.
    const EXCLUSIVE: bool;
    /// The edges.
    fn edges(&self) -> &[Self::Relation];
    /// One edge.
    fn one(edge: Self::Relation) -> Self;
    /// Adds an edge, or replaces the one to the same target; one that is alone gives it back.
    fn put(&mut self, edge: Self::Relation) -> Result<Option<Self::Relation>, Self::Relation>;
    /// Takes the edge to a target, unless it is always one.
    fn take(&mut self, target: Entity) -> Option<Self::Relation>;
    /// The last edge.
    fn into_one(self) -> Option<Self::Relation>;
}

impl<R: Relation<Stored = R>> Stored for R {
    type Relation = R;
    const EXCLUSIVE: bool = true;

    #[inline(always)]
    fn edges(&self) -> &[R] {
        core::slice::from_ref(self)
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
    fn into_one(self) -> Option<R> {
        Some(self)
    }
}

/// What the derive asks of a symmetric relation.
#[diagnostic::on_unimplemented(
    message = "relation `{Self}` is `symmetric` and not `Clone`: its other end is given a clone",
    label = "not `Clone`",
    note = "add `#[derive(Clone)]` to `{Self}`"
)]
pub trait SymmetricRelation: Sized {
    /// A clone.
    fn twin(&self) -> Self;
}
#[diagnostic::do_not_recommend]
impl<T: Clone> SymmetricRelation for T {
    fn twin(&self) -> Self {
        self.clone()
    }
}

/// Whether a world lists a relation of many targets as what it is. None does so without [`Many`].
#[diagnostic::on_unimplemented(
    message = "world `{Self}`: relation `{R}` has many targets, and is listed as `Many<{R}>`",
    label = "write `Many<{R}>`",
    note = "`components {{ name: Many<{R}> }}`; a relation with one target, `#[relation(exclusive)]`, is listed as it is"
)]
pub trait ListsMany<R> {}
