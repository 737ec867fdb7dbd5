//! A relation as a whole, for reading.
#![expect(unsafe_code, reason = "a parameter is made from a world whose accesses were checked")]

use core::fmt;

use super::reverse_index::ReverseIndex;
use super::walk::{Ancestors, Descendants, DescendantsBottomUp};
use super::{ExclusiveRelation, HasRelation, Relation, Stored};
use crate::base::mask::Bits;
use crate::component::Has;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::storage::column::Column;
use crate::system::SystemParam;
use crate::system::access::Access;
use crate::world::WorldCell;

/// All that is known of a relation, from both ends: [`Relations::related`](crate::Relations::related) gives it, and a
/// system takes it as a parameter. A copy that can be passed on.
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

impl<R: Relation> Clone for Related<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Relation> Copy for Related<'_, R> {}

impl<'w, R: Relation> Related<'w, R> {
    /// The web, if there ever was a value.
    pub(super) fn web(self) -> Option<&'w ReverseIndex> {
        self.values.rule_state()
    }

    /// Who is related to `target`, in the order of relating; nobody, if it does not live.
    #[inline]
    pub fn sources(self, target: Entity) -> &'w [Entity] {
        self.web().map_or(&[], |web| web.sources(target))
    }

    /// The relations of `source`, in the order of relating: of an exclusive one it is one at most.
    #[inline]
    pub fn relations(self, source: Entity) -> &'w [R] {
        let value = self.values.get(source.slot()).filter(|_| self.entities.contains(source));
        value.map_or(&[], Stored::edges)
    }

    /// The relation of `source` to `target`. Cost: follows the number of relations of `source`.
    pub fn relation(self, source: Entity, target: Entity) -> Option<&'w R> {
        self.relations(source).iter().find(|edge| edge.target() == target)
    }

    /// All relations whose targets are gone, with their sources, in the order of the sources' slots. There are some only
    /// where the policy is `gone = keep` or `gone = mark(..)`: that is a normal state, which a program may repair at any time.
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
    /// assert_eq!(game.target::<Attacks>(hero), Some(wolf)); // an id that is dead
    /// let lost: Vec<Entity> = game.related::<Attacks>().dangling().map(|(source, _)| source).collect();
    /// for source in lost {
    ///     game.remove::<Attacks>(source)?;
    /// }
    /// # Ok::<(), ecs::NoSuchEntity>(())
    /// ```
    ///
    /// Cost: looks at every relation.
    pub fn dangling(self) -> Dangling<'w, R> {
        Dangling { related: self, word: 0, bits: 0, source: None, edges: [].iter() }
    }
}

impl<'w, R: ExclusiveRelation> Related<'w, R> {
    /// The target of `source`; it may be gone where the policy is `gone = keep` or `mark(..)`.
    #[inline]
    pub fn target(self, source: Entity) -> Option<Entity> {
        self.relations(source).first().map(Relation::target)
    }

    /// The target, its target, and so on. Where a relation that is not `acyclic` goes round, it ends after as many as the
    /// world has slots.
    pub fn ancestors(self, entity: Entity) -> Ancestors<'w, R> {
        Ancestors::new(self, entity)
    }

    /// The last of [`ancestors`](Self::ancestors); the entity itself, if it has none.
    pub fn root(self, entity: Entity) -> Entity {
        self.ancestors(entity).last().unwrap_or(entity)
    }

    /// The sources, each followed by its own, and so on, in their orders: parents before their children. It ends as
    /// [`ancestors`](Self::ancestors) do.
    pub fn descendants(self, entity: Entity) -> Descendants<'w, R> {
        Descendants::new(self, entity)
    }

    /// The same, children before their parents, and siblings in their order.
    pub fn descendants_bottom_up(self, entity: Entity) -> DescendantsBottomUp<'w, R> {
        DescendantsBottomUp::new(self, entity)
    }

    /// All targets that are no sources, in the order of their slots. (An entity that is neither is no root: nothing
    /// grows there.)
    pub fn roots(self) -> Roots<'w, R> {
        Roots { related: self, block: 0, bits: 0 }
    }
}

/// Relations whose targets are gone: see [`Related::dangling`].
pub struct Dangling<'w, R: Relation> {
    related: Related<'w, R>,
    /// The next word, and the slots of the one before it that are still to come.
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

/// Targets that are no sources: see [`Related::roots`].
pub struct Roots<'w, R: Relation> {
    related: Related<'w, R>,
    /// The next block, and the slots of the one before it that are still to come.
    block: usize,
    bits: u64,
}

impl<R: Relation> Iterator for Roots<'_, R> {
    type Item = Entity;

    fn next(&mut self) -> Option<Entity> {
        let Related { values, entities } = self.related;
        let web = self.related.web()?;
        while self.bits == 0 {
            if self.block >= web.blocks() {
                return None;
            }
            let targets = web.page(self.block).map_or(0, |page| page.targets());
            let sources = values.mask(self.block).unwrap_or(0);
            self.bits = targets & !sources & entities.alive().get(self.block)?;
            self.block += 1;
        }
        let bit = self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(entities.at((self.block - 1) * 64 + bit))
    }
}

impl<R: Relation> Clone for Dangling<'_, R> {
    fn clone(&self) -> Self {
        let Self { related, word, bits, source, ref edges } = *self;
        Self { related, word, bits, source, edges: edges.clone() }
    }
}

impl<R: Relation> Clone for Roots<'_, R> {
    fn clone(&self) -> Self {
        let Self { related, block, bits } = *self;
        Self { related, block, bits }
    }
}

impl<R: Relation> fmt::Debug for Related<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Related")
            .field("relation", &R::RELATION_NAME)
            .field("sources", &self.values.len())
            .finish()
    }
}

impl<R: Relation> fmt::Debug for Dangling<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Dangling")
    }
}

impl<R: Relation> fmt::Debug for Roots<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Roots")
    }
}

// SAFETY: it reads values, and what is kept beside them, which changes only with them.
unsafe impl<R: Relation, W: HasRelation<R>> SystemParam<W> for Related<'_, R> {
    const ACCESS: Access = Access::read(<W as Has<R::Stored>>::INDEX).optional();
    type State = ();
    type Item<'w> = Related<'w, R>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> Related<'w, R> {
        // SAFETY: the caller keeps writers away from this column.
        Related { values: unsafe { world.column() }, entities: world.entities() }
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Related<'_, R>) -> Related<'a, R> {
        *item
    }
}
