//! What can be done with the relations of a world.
#![expect(unsafe_code, reason = "the borrow of the world says what may be reached through its cell")]

use super::related::Related;
use super::{ExclusiveRelation, HasRelation, Relation, RelationIn, Stored};
use crate::component::Has;
use crate::component::requires::{RequiredInserter, WorldKind};
use crate::entity::Entity;
use crate::error::{InsertError, NoSuchEntity};
use crate::world::{World, WorldCell};

/// The verbs of relations, of every world. An exclusive relation is a component like any other, too: `spawn`, `insert`,
/// `remove` and queries do what they always do, and both ends know of it.
pub trait Relations: World {
    /// A relation for reading, from both ends, with all that can be asked of it.
    #[inline]
    fn related<R: Relation>(&self) -> Related<'_, R>
    where
        Self: HasRelation<R>,
    {
        let cell = WorldCell::shared(self);
        // SAFETY: the world is borrowed shared: nobody writes.
        Related { values: unsafe { cell.column() }, entities: cell.entities() }
    }

    /// The target of `source`, of an exclusive relation: the parent of a child.
    #[inline]
    fn target<R: ExclusiveRelation>(&self, source: Entity) -> Option<Entity>
    where
        Self: HasRelation<R>,
    {
        self.related::<R>().target(source)
    }

    /// Who is related to `target`, in the order of relating: the children of a parent.
    #[inline]
    fn sources<R: Relation>(&self, target: Entity) -> &[Entity]
    where
        Self: HasRelation<R>,
    {
        self.related::<R>().sources(target)
    }

    /// The relations of `source`, in the order of relating.
    #[inline]
    fn relations<R: Relation>(&self, source: Entity) -> &[R]
    where
        Self: HasRelation<R>,
    {
        self.related::<R>().relations(source)
    }

    /// Relates `source`: gives it an exclusive relation, or adds one to its [`Many`](crate::Many), or replaces the one to
    /// the same target. What it replaces.
    ///
    /// `source` becomes the last one of the target's sources, unless it was one before: then it keeps its place.
    ///
    /// # Errors
    /// If `source` or the target does not live, both are the same, or a relation that is `acyclic` would form a cycle, which
    /// costs as much as the target has ancestors: nothing changes and the value is dropped.
    fn relate<R: RelationIn<Self>>(&mut self, source: Entity, relation: R) -> Result<Option<R>, InsertError> {
        relation.__relate(self, source, None)
    }

    /// The same, at a place among the target's sources: at the end, if there are not so many.
    ///
    /// ```
    /// # use ecs::ChildOf;
    /// # use ecs::prelude::*;
    /// # world! { struct Game { components { ChildOf } } }
    /// # let mut game = Game::new();
    /// let parent = game.spawn(());
    /// let second = game.spawn(ChildOf(parent));
    /// let first = game.spawn(());
    /// game.relate_at(first, ChildOf(parent), 0)?;
    /// assert_eq!(game.sources::<ChildOf>(parent), [first, second]);
    /// # Ok::<(), ecs::InsertError>(())
    /// ```
    ///
    /// # Errors
    /// As [`relate`](Self::relate).
    fn relate_at<R: RelationIn<Self>>(
        &mut self,
        source: Entity,
        relation: R,
        place: usize,
    ) -> Result<Option<R>, InsertError> {
        relation.__relate(self, source, Some(place))
    }

    /// Takes the relation of `source` to `target` away, which may be gone; `None` if there is none.
    ///
    /// # Errors
    /// If `source` does not live.
    fn unrelate<R: Relation>(&mut self, source: Entity, target: Entity) -> Result<Option<R>, NoSuchEntity>
    where
        Self: HasRelation<R>,
    {
        if !self.contains(source) {
            return Err(NoSuchEntity { entity: source, world: Self::NAME });
        }
        let cell = WorldCell::new(self);
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        let values = unsafe { cell.column_mut::<R::Stored>() };
        Ok(values.unrelate(cell.context::<R::Stored>(source.slot()), target))
    }
}

impl<W: World> Relations for W {}

/// Relates an entity, at a place among the sources of the target.
pub(super) fn relate<W: HasRelation<R>, R: Relation>(
    world: &mut W,
    source: Entity,
    relation: R,
    place: Option<usize>,
) -> Result<Option<R>, InsertError> {
    if !world.contains(source) {
        return Err(NoSuchEntity { entity: source, world: W::NAME }.into());
    }
    let (cell, value) = (WorldCell::new(world), R::Stored::one(relation));
    // SAFETY: the world is borrowed mutably, and nothing of it is lent.
    if let Some(refused) = unsafe { cell.refuse::<R::Stored>(Some(source), &value) } {
        return Err(refused.into());
    }
    let Some(edge) = value.into_one() else { return Ok(None) };
    // SAFETY: the world is borrowed mutably, and nothing of it is lent.
    let values = unsafe { cell.column_mut::<R::Stored>() };
    let old =
        values.relate::<<W as Has<R::Stored>>::Kind>(cell.context::<R::Stored>(source.slot()), edge, place);
    // SAFETY: as above; the borrow of the column has ended.
    <W as Has<R::Stored>>::Kind::fill(&mut unsafe { RequiredInserter::new(cell, source) });
    Ok(old)
}
