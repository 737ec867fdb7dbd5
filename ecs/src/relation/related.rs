//! [`Related`], read access to all values of one relation.

use super::reverse_index::ReverseIndex;
use super::rule::targets_may_dangle;
use super::walk::{Ancestors, Descendants, DescendantsBottomUp};
use super::{ExclusiveRelation, Relation, Stored};
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::storage::column::Column;

/// Read access to all values of relation `R`, from both ends. A system parameter, and the result of
/// [`Relations::related`](crate::Relations::related). It is `Copy`.
///
/// ```
/// use ecs::{ChildOf, Related};
/// use ecs::prelude::*;
///
/// #[derive(Component)]
/// struct Weight(u32);
/// #[derive(Resource, Default)]
/// struct Heaviest(u32);
///
/// world! {
///     struct Game { components { ChildOf, Weight } resources { Heaviest = Heaviest::default() } }
///     schedule tick { weigh }
/// }
///
/// #[system(Game)]
/// fn weigh(tree: Related<ChildOf>, weights: Query<&Weight>, mut heaviest: ResMut<Heaviest>) {
///     let weight = |entity| weights.get(entity).map_or(0, |weight| weight.0);
///     let whole = |root| weight(root) + tree.descendants(root).map(weight).sum::<u32>();
///     heaviest.0 = tree.roots().map(whole).max().unwrap_or(0);
/// }
///
/// let mut game = Game::new();
/// let cart = game.spawn(Weight(100));
/// let barrel = game.spawn((Weight(40), ChildOf(cart)));
/// game.spawn((Weight(2), ChildOf(barrel)));
/// game.tick();
/// assert_eq!(game.resource::<Heaviest>().0, 142);
/// ```
pub struct Related<'w, R: Relation> {
    pub(super) values: &'w Column<R::Stored>,
    pub(super) entities: &'w Entities,
}

copy!([R: Relation] Related<'_, R>);

impl<'w, R: Relation> Related<'w, R> {
    /// The reverse index of the column; `None` if no entity has had a value.
    pub(super) fn reverse_index(self) -> Option<&'w ReverseIndex> {
        self.values.rule_state()
    }

    /// Returns the sources of `target`, in the order in which they were related to it; empty if
    /// `target` is not alive.
    #[inline]
    pub fn sources(self, target: Entity) -> &'w [Entity] {
        self.reverse_index().map_or(&[], |index| index.sources(target))
    }

    /// Returns the relations of `source`, in the order in which they were added. An exclusive
    /// relation has at most one.
    #[inline]
    pub fn relations(self, source: Entity) -> &'w [R] {
        let value = self.values.get(source.slot()).filter(|_| self.entities.contains(source));
        value.map_or(&[], Stored::edges)
    }

    /// Returns the relation of `source` to `target`. Cost: linear in the number of relations of
    /// `source`.
    pub fn relation(self, source: Entity, target: Entity) -> Option<&'w R> {
        self.relations(source).iter().find(|edge| edge.target() == target)
    }

    /// Iterates over the relations whose targets were despawned, with their sources, in the order
    /// of the sources' slots.
    ///
    /// These relations exist only with the policy `gone = keep` or `gone = mark(..)`. They are a
    /// normal state, which a program may repair at any time.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Relation)]
    /// #[relation(exclusive, gone = keep)]
    /// struct Attacks(Entity);
    ///
    /// # world! { struct Game { components { Attacks } } }
    /// # let mut game = Game::new();
    /// let wolf = game.spawn(());
    /// let hero = game.spawn(Attacks(wolf));
    /// game.despawn(wolf)?;
    /// assert_eq!(game.target::<Attacks>(hero), Some(wolf)); // a despawned entity
    /// let lost: Vec<Entity> = game.related::<Attacks>().dangling().map(|(source, _)| source).collect();
    /// for source in lost {
    ///     game.remove::<Attacks>(source)?;
    /// }
    /// # Ok::<(), ecs::error::NoSuchEntity>(())
    /// ```
    ///
    /// Cost: the whole iteration is linear in the number of relations; with another policy, it ends
    /// at once.
    pub fn dangling(self) -> Dangling<'w, R> {
        let word = if targets_may_dangle::<R::Stored>() { 0 } else { usize::MAX };
        Dangling { related: self, word, bits: 0, source: None, edges: [].iter() }
    }
}

impl<'w, R: ExclusiveRelation> Related<'w, R> {
    /// Returns the target of `source`. With the policy `gone = keep` or `gone = mark(..)`, the
    /// target may be despawned.
    #[inline]
    pub fn target(self, source: Entity) -> Option<Entity> {
        self.relations(source).first().map(Relation::target)
    }

    /// Iterates over the target of `entity`, the target of that entity, and so on. In a cycle,
    /// which a relation that is not `acyclic` may have, the iterator ends after as many entities as
    /// the world has slots.
    pub fn ancestors(self, entity: Entity) -> Ancestors<'w, R> {
        Ancestors::new(self, entity)
    }

    /// Returns the last of the [`ancestors`](Self::ancestors) of `entity`, or `entity` itself if it
    /// has none.
    pub fn root(self, entity: Entity) -> Entity {
        self.ancestors(entity).last().unwrap_or(entity)
    }

    /// Iterates depth first over the sources of `entity`, their sources, and so on: parents before
    /// their children, siblings in their order. In a cycle, the iterator ends after as many
    /// entities as the world has slots.
    pub fn descendants(self, entity: Entity) -> Descendants<'w, R> {
        Descendants::new(self, entity)
    }

    /// Iterates over the [`descendants`](Self::descendants) of `entity`, children before their
    /// parents, siblings in their order.
    pub fn descendants_bottom_up(self, entity: Entity) -> DescendantsBottomUp<'w, R> {
        DescendantsBottomUp::new(self, entity)
    }

    /// Iterates over the entities that are a target and not a source, in the order of their slots.
    /// An entity that is neither is not a root.
    pub fn roots(self) -> Roots<'w, R> {
        Roots { related: self, block: 0, bits: 0 }
    }
}

/// Iterator over relations whose targets were despawned: see [`Related::dangling`].
pub struct Dangling<'w, R: Relation> {
    related: Related<'w, R>,
    /// The index of the next word of the mask; `bits` has the sources of the word before it that
    /// are still to be visited.
    word: usize,
    bits: u64,
    source: Option<Entity>,
    edges: core::slice::Iter<'w, R>,
}

impl<'w, R: Relation> Iterator for Dangling<'w, R> {
    type Item = (Entity, &'w R);

    fn next(&mut self) -> Option<Self::Item> {
        let Related { values, entities } = self.related;
        loop {
            if let Some(edge) = self.edges.find(|edge| !entities.contains(edge.target())) {
                return Some((self.source?, edge));
            }
            let Some(bit) = Bits(self.bits).next() else {
                self.bits = values.mask(self.word)? & entities.alive().get(self.word)?;
                self.word += 1;
                continue;
            };
            self.bits &= self.bits - 1;
            let source = entities.at((self.word - 1) * 64 + bit);
            self.source = Some(source);
            self.edges = self.related.relations(source).iter();
        }
    }
}

/// Iterator over targets that are not a source: see [`Related::roots`].
pub struct Roots<'w, R: Relation> {
    related: Related<'w, R>,
    /// The index of the next block of slots; `bits` has the roots of the block before it that are
    /// still to be visited.
    block: usize,
    bits: u64,
}

impl<R: Relation> Iterator for Roots<'_, R> {
    type Item = Entity;

    fn next(&mut self) -> Option<Entity> {
        let Related { values, entities } = self.related;
        let index = self.related.reverse_index()?;
        while self.bits == 0 {
            if self.block >= index.blocks() {
                return None;
            }
            let targets = index.page(self.block).map_or(0, |page| page.targets());
            let sources = values.mask(self.block).unwrap_or(0);
            self.bits = targets & !sources & entities.alive().get(self.block)?;
            self.block += 1;
        }
        let bit = self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(entities.at((self.block - 1) * 64 + bit))
    }
}

clone!([R: Relation] Dangling<'_, R> { related, word, bits, source, edges });
clone!([R: Relation] Roots<'_, R> { related, block, bits });

debug!([R: Relation] Related<'_, R>, |this, f| {
    f.debug_struct("Related")
        .field("relation", &R::RELATION_NAME)
        .field("sources", &this.values.len())
        .finish()
});
debug!([R: Relation] Dangling<'_, R>, |_, f| f.write_str("Dangling"));
debug!([R: Relation] Roots<'_, R>, |_, f| f.write_str("Roots"));
