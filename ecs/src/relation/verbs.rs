//! [`Relations`], the methods of worlds that read and change relations.

use alloc::vec::Vec;

use super::children::{self, Children, ParentLink};
use super::related::Related;
use super::{ExclusiveRelation, HasRelation, Relation, RelationIn, Stored};
use crate::base::component_set::ComponentSet;
use crate::bundle::Bundle;
use crate::component::requires::RequiredInserter;
use crate::component::{ComponentKind, Has};
use crate::entity::{Entity, EntitySet};
use crate::error::{InsertError, NoSuchEntity, Refused};
use crate::raw_world::fields::excluded_unless;
use crate::raw_world::{WorldFields, targets};
use crate::storage::rule_state::ChangeContext;
use crate::world::clone::CloneEntity;
use crate::world::{MoveComponents, World};

/// Methods of every world that read and change relations.
///
/// An exclusive relation is also an ordinary component: it works with `spawn`, `insert`, `remove`
/// and queries, and these keep the list of the target's sources up to date.
pub trait Relations: World {
    /// Returns read access to all values of a relation, from both ends.
    #[inline]
    #[rustfmt::skip]
    fn related<R: RelationIn<Self>>(&self) -> Related<'_, R> // a type: `related::<ChildOf>()`
    {
        R::__related(self)
    }

    /// Returns the target of `source` for an exclusive relation: for example the parent of a child.
    #[inline]
    #[rustfmt::skip]
    fn target<R: RelationIn<Self> + ExclusiveRelation>(&self, source: Entity) -> Option<Entity> // a type: `target::<ChildOf>(child)`
    {
        self.related::<R>().target(source)
    }

    /// Returns the sources of `target`, in the order in which they were related to it: for example
    /// the children of a parent.
    #[inline]
    #[rustfmt::skip]
    fn sources<R: RelationIn<Self>>(&self, target: Entity) -> &[Entity] // a type: `sources::<ChildOf>(parent)`
    {
        self.related::<R>().sources(target)
    }

    /// Returns the relations of `source`, in the order in which they were added.
    #[inline]
    #[rustfmt::skip]
    fn relations<R: RelationIn<Self>>(&self, source: Entity) -> &[R] // a type: `relations::<Likes>(fan)`
    {
        self.related::<R>().relations(source)
    }

    /// Spawns a clone of `root` and of its [descendants](Related::descendants) by an exclusive
    /// relation, with clones of all their components, and returns the clone of the root. Relations
    /// within the tree, those of other types included, point to the clones; all others stay as they
    /// are, such as that of the root to its own parent.
    ///
    /// A component is left out if its rule refuses the clone, as for a unique component or a key,
    /// and so is a symmetric exclusive relation to an entity that is not cloned, which has its
    /// partner. Ids in components that are no relations stay as they are.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Component, Clone)]
    /// struct Wheel;
    /// world! {
    ///     #[derive(Clone)]
    ///     struct Game { components { Wheel, ChildOf } }
    /// }
    ///
    /// let mut game = Game::new();
    /// let cart = game.spawn(());
    /// game.spawn_batch([(Wheel, ChildOf(cart)), (Wheel, ChildOf(cart))]);
    /// let second = game.clone_tree::<ChildOf>(cart)?;
    /// assert_eq!(game.sources::<ChildOf>(second).len(), 2);
    /// assert_eq!(game.query::<&Wheel>().iter().count(), 4);
    /// # Ok::<(), ecs::error::NoSuchEntity>(())
    /// ```
    ///
    /// # Errors
    /// If `root` is not alive.
    ///
    /// # Panics
    /// If the `Clone` of a component panics. No entity is spawned then.
    #[rustfmt::skip]
    fn clone_tree<R: RelationIn<Self> + ExclusiveRelation>(&mut self, root: Entity) -> Result<Entity, NoSuchEntity> // a type: `clone_tree::<ChildOf>(root)`
    where
        Self: CloneEntity,
    {
        let mut tree = alloc::vec![root];
        let mut known = EntitySet::new();
        known.insert(root);
        // a cycle leads back to entities that are known
        tree.extend(self.related::<R>().descendants(root).filter(|entity| known.insert(*entity)));
        Ok(self.clone_entities(&tree)?[0])
    }

    /// Spawns an entity and its children, which a closure spawns. `link` makes the relation of each
    /// child from the id of the entity: the constructor of any exclusive relation, or a closure
    /// that returns a bundle.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Component)]
    /// struct Wheel(u8);
    ///
    /// #[derive(Relation)]
    /// #[relation(exclusive)]
    /// struct Mounted { #[target] on: Entity, screws: u8 }
    ///
    /// world! { struct Game { components { Wheel, ChildOf, Mounted } } }
    ///
    /// let mut game = Game::new();
    /// let cart = game.spawn_with_children((), ChildOf, |children| {
    ///     for i in 0..4 {
    ///         children.spawn(Wheel(i));
    ///     }
    /// });
    /// assert_eq!(game.sources::<ChildOf>(cart).len(), 4);
    ///
    /// let mount = |on| Mounted { on, screws: 5 };
    /// let car = game.spawn_with_children((), mount, children![Wheel(0), Wheel(1)]);
    /// assert_eq!(game.sources::<Mounted>(car).len(), 2);
    /// ```
    ///
    /// [`children!`](crate::children) writes the closure for children that are known when the
    /// program is written, nested ones included. A relation with many targets is
    /// `|target| Many::one(Likes(target))`.
    ///
    /// # Panics
    /// As [`spawn`](World::spawn), for the entity or a child, or if the closure panics. The
    /// entities that were spawned before the panic stay.
    #[cfg_attr(debug_assertions, track_caller)]
    fn spawn_with_children<B: Bundle<Self>, R, L: ParentLink<R>>(
        &mut self,
        bundle: B,
        link: L,
        children: impl FnOnce(&mut Children<'_, Self, R>), // `children![A, B]`, or a closure
    ) -> Entity // `spawn_with_children((A, B), ChildOf, children![C, D])`
    {
        let parent = self.spawn(bundle);
        children::spawn_in_world(self, parent, &link, children);
        parent
    }

    /// Spawns children of an entity that exists: see
    /// [`spawn_with_children`](Self::spawn_with_children).
    ///
    /// # Errors
    /// If the entity is not alive. The closure is not called then.
    ///
    /// # Panics
    /// As [`spawn_with_children`](Self::spawn_with_children).
    fn spawn_children<R, L: ParentLink<R>>(
        &mut self,
        parent: Entity,
        link: L,
        children: impl FnOnce(&mut Children<'_, Self, R>), // `children![A, B]`, or a closure
    ) -> Result<(), NoSuchEntity> // `spawn_children(parent, ChildOf, children![A, B])`
    {
        if !self.contains(parent) {
            return Err(NoSuchEntity { entity: parent, world: Self::NAME });
        }
        children::spawn_in_world(self, parent, &link, children);
        Ok(())
    }

    /// Adds a relation to `source`, and returns the relation that it replaces.
    ///
    /// An exclusive relation replaces that of `source`. A relation with many targets is added to
    /// the [`Many`](crate::Many) of `source`, or replaces the relation to the same target.
    ///
    /// `source` becomes the last one of the target's sources. If it was one already, it keeps its
    /// position.
    ///
    /// # Errors
    /// If `source` or the target is not alive, if both are the same entity, if the target lacks a
    /// component that targets of the relation have, or if an `acyclic` relation would form a cycle.
    /// Nothing changes then, and the value is dropped.
    ///
    /// # Cost
    /// The check for cycles visits all ancestors of the target.
    fn relate<R: RelationIn<Self>>(&mut self, source: Entity, relation: R) -> Result<Option<R>, InsertError> // `relate(a, Likes(b))`
    {
        relation.__relate(self, source, None)
    }

    /// Adds many relations, as [`relate`](Self::relate) does for each pair of a source and a
    /// relation, and returns their number. Replaced relations are dropped.
    ///
    /// ```
    /// # use ecs::Many;
    /// # use ecs::prelude::*;
    /// #[derive(Relation, Clone)]
    /// #[relation(many, symmetric)]
    /// struct Knows(Entity);
    ///
    /// # world! { struct Game { components { knows: Many<Knows> } } }
    /// # let mut game = Game::new();
    /// let all: Vec<Entity> = game.spawn_batch([(); 1000]).collect();
    /// let ring = all.iter().zip(all.iter().cycle().skip(1));
    /// game.relate_batch(ring.map(|(&a, &b)| (a, Knows(b))))?;
    /// assert_eq!(game.sources::<Knows>(all[1]), [all[0], all[2]]);
    /// # Ok::<(), ecs::error::InsertError>(())
    /// ```
    ///
    /// # Errors
    /// With the first pair that `relate` would refuse. The relations before it are added, and the
    /// rest of the iterator is not consumed.
    ///
    /// # Panics
    /// If the iterator panics, or `Clone` for the other end of a `symmetric` relation: then
    /// relations with many targets are not added, and those with one target are added up to there.
    ///
    /// # Cost
    /// At most that of as many calls of `relate`: relations with many targets are collected first,
    /// and added in the order of memory, source by source and then target by target.
    fn relate_batch<R: RelationIn<Self>>(
        &mut self,
        batch: impl IntoIterator<Item = (Entity, R)>,
    ) -> Result<usize, InsertError> // of pairs: `[(a, Likes(b))]`
    {
        R::__relate_batch(self, &mut batch.into_iter())
    }

    /// Adds a relation like [`relate`](Self::relate), and moves `source` to an index among the
    /// target's sources. An index beyond the end moves it to the end.
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
    /// # Ok::<(), ecs::error::InsertError>(())
    /// ```
    ///
    /// # Errors
    /// The same errors as [`relate`](Self::relate).
    ///
    /// # Cost
    /// The same as `relate` for index 0 and for the end. For another index the sources of the
    /// target are moved, if it has more than 64.
    fn relate_at<R: RelationIn<Self>>(
        &mut self,
        source: Entity,
        relation: R,
        index: usize,
    ) -> Result<Option<R>, InsertError> {
        relation.__relate(self, source, Some(index))
    }

    /// Removes and returns the relation of `source` to `target`; `None` if there is none. `target`
    /// may be despawned.
    ///
    /// # Errors
    /// If `source` is not alive.
    #[rustfmt::skip]
    fn unrelate<R: RelationIn<Self>>(&mut self, source: Entity, target: Entity) -> Result<Option<R>, NoSuchEntity> // a type: `unrelate::<Likes>(a, b)`
    {
        if !self.contains(source) {
            return Err(NoSuchEntity { entity: source, world: Self::NAME });
        }
        Ok(R::__unrelate(self, source, target))
    }
}

impl<W: World> Relations for W {}

/// Adds a relation to `source`, which becomes the `position`-th source of the target, or the last
/// one without a position.
pub(super) fn relate<W: HasRelation<R>, R: Relation>(
    world: &mut W,
    source: Entity,
    relation: R,
    position: Option<usize>,
) -> Result<Option<R>, InsertError> {
    if let Some(error) = refuse(world, source, &relation) {
        return Err(error);
    }
    let (values, context) = world.change::<R::Stored>(source);
    let old = values.relate::<<W as Has<R::Stored>>::Kind>(context, relation, position);
    RequiredInserter::new(world, source).fill::<R::Stored>();
    Ok(old)
}

/// The reason why `source` cannot have the relation.
fn refuse<W: HasRelation<R>, R: Relation>(
    world: &mut W,
    source: Entity,
    relation: &R,
) -> Option<InsertError> {
    if !world.contains(source) {
        return Some(NoSuchEntity { entity: source, world: W::NAME }.into());
    }
    let excluded = if const { <W as Has<R::Stored>>::Kind::EXCLUDES } {
        excluded_unless::<W, R::Stored>(world, source, ComponentSet::EMPTY)
    } else {
        None
    };
    let reason = excluded.or_else(|| {
        let (values, entities) = world.column_and_entities::<R::Stored>();
        values.refuse_edge::<<W as Has<R::Stored>>::Kind>(entities, source, relation)
    });
    let lacking = || targets::lacking(world, <W as Has<R::Stored>>::INDEX, relation.target());
    let reason = reason.or_else(lacking)?;
    let component = W::COMPONENT_NAMES[<W as Has<R::Stored>>::INDEX];
    Some(Refused { entity: Some(source), component, world: W::NAME, reason }.into())
}

/// See [`Relations::relate_batch`].
pub(super) fn relate_batch<W: HasRelation<R>, R: Relation>(
    world: &mut W,
    batch: &mut dyn Iterator<Item = (Entity, R)>,
) -> Result<usize, InsertError> {
    let mut number = 0;
    if R::Stored::EXCLUSIVE || R::RELATION_ACYCLIC {
        // each relation may replace another one, and an order without cycles depends on those
        // before
        for (source, relation) in batch {
            relate(world, source, relation, None)?;
            number += 1;
        }
        return Ok(number);
    }
    let (mut edges, mut refused) = (Vec::new(), None);
    for (source, edge) in batch {
        refused = refuse(world, source, &edge);
        if refused.is_some() {
            break;
        }
        edges.push((source, edge));
    }
    number += edges.len();
    // only if the component requires others, which each source gets once
    let requires = !W::REQUIRES[W::INDEX].is_empty();
    let mut sources: Vec<Entity> = edges.iter().filter(|_| requires).map(|(source, _)| *source).collect();
    let (values, entities) = world.column_and_entities::<R::Stored>();
    values.relate_batch(ChangeContext::of_many(entities, W::INDEX), edges);
    sources.sort_unstable();
    sources.dedup();
    for source in sources {
        RequiredInserter::new(world, source).fill::<R::Stored>();
    }
    refused.map_or(Ok(number), Err)
}
