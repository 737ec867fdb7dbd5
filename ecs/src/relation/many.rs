//! [`Many`], the component that stores all edges of one source.

use alloc::vec;
use core::{fmt, slice};

use super::{ManyRelation, Relation, Stored, map_target};
use crate::base::keyed_list::{Keyed, KeyedList};
use crate::component::requires::WorldKind;
use crate::component::{Component, ComponentOf, IsComponent};
use crate::entity::Entity;
use crate::world::World;

/// The component that stores a relation with many targets, `#[relation(many)]`. A world lists it in
/// place of the relation: `components { owes: Many<Owes> }`.
///
/// It has one edge for each target, in the order in which they were added. A value in a world is
/// never mutated in place: [`relate`](crate::Relations::relate) and
/// [`unrelate`](crate::Relations::unrelate) add and remove single edges, `insert` and `remove`
/// replace and remove all of them. With the feature `serde` it is serialized as the sequence of its
/// edges.
///
/// ```
/// use ecs::Many;
/// use ecs::prelude::*;
///
/// #[derive(Relation)]
/// #[relation(many, gone = remove)]
/// struct Owes { #[target] to: Entity, amount: u32 }
///
/// world! { struct Game { components { owes: Many<Owes> } } }
///
/// let mut game = Game::new();
/// let (bank, shop) = (game.spawn(()), game.spawn(()));
/// let poor = game.spawn(Many::from([Owes { to: bank, amount: 9 }, Owes { to: shop, amount: 2 }]));
/// game.relate(poor, Owes { to: shop, amount: 3 })?;
/// let owed: u32 = game.get::<Many<Owes>>(poor).unwrap().iter().map(|owes| owes.amount).sum();
/// assert_eq!((owed, game.sources::<Owes>(shop)), (12, [poor].as_slice()));
/// game.despawn(bank)?;
/// assert!(!game.get::<Many<Owes>>(poor).unwrap().contains(bank));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Many<R> {
    edges: KeyedList<R>,
}

impl<R: Relation> Keyed for R {
    #[inline(always)]
    fn key(&self) -> u64 {
        self.target().to_bits()
    }
}

impl<R> Many<R> {
    /// Creates a value without edges.
    pub const fn new() -> Self {
        Self { edges: KeyedList::new() }
    }

    /// Creates a value with one edge.
    pub fn one(edge: R) -> Self {
        Self { edges: alloc::vec![edge].into() }
    }

    /// Iterates over the edges, in the order in which they were added.
    pub fn iter(&self) -> slice::Iter<'_, R> {
        self.as_slice().iter()
    }

    /// Returns the edges as a slice, in the order in which they were added.
    pub fn as_slice(&self) -> &[R] {
        self.edges.as_slice()
    }

    /// The number of edges.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are no edges.
    pub fn is_empty(&self) -> bool {
        self.edges.len() == 0
    }
}

impl<R: Relation> Many<R> {
    /// Returns the edge to a target. Cost: linear in the number of edges.
    pub fn get(&self, target: Entity) -> Option<&R> {
        self.iter().find(|edge| edge.target() == target)
    }

    /// Whether there is an edge to a target.
    pub fn contains(&self, target: Entity) -> bool {
        self.get(target).is_some()
    }

    /// Iterates over the targets, in the order in which their edges were added.
    pub fn targets(&self) -> impl Iterator<Item = Entity> {
        self.iter().map(Relation::target)
    }

    /// Adds an edge, or replaces the edge to the same target and returns the replaced one. For a
    /// value that is in a world, use [`relate`](crate::Relations::relate).
    pub fn add(&mut self, edge: R) -> Option<R> {
        match self.edges.get_mut(edge.key()) {
            Some(same) => Some(core::mem::replace(same, edge)),
            None => {
                self.edges.push(edge);
                None
            }
        }
    }
}

default!([R] Many<R>);

debug!([R: fmt::Debug] Many<R>, |this, f| f.debug_list().entries(this.as_slice()).finish());

impl<R: PartialEq> PartialEq for Many<R> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<R: Eq> Eq for Many<R> {}

/// If several edges have the same target, the last one is kept.
impl<R: Relation, const N: usize> From<[R; N]> for Many<R> {
    fn from(edges: [R; N]) -> Self {
        edges.into_iter().collect()
    }
}

/// If several edges have the same target, the last one is kept.
impl<R: Relation> FromIterator<R> for Many<R> {
    fn from_iter<I: IntoIterator<Item = R>>(edges: I) -> Self {
        let mut many = Self::new();
        many.extend(edges);
        many
    }
}

impl<R: Relation> Extend<R> for Many<R> {
    fn extend<I: IntoIterator<Item = R>>(&mut self, edges: I) {
        edges.into_iter().for_each(|edge| drop(self.add(edge)));
        self.edges.as_vec(); // without the positions of edges, which a value in a world needs if more are added
    }
}

into_iter!([R] Many<R>: R, vec::IntoIter<R>, |mut this| this.edges.take().into_iter());

into_iter!(['m, R] &'m Many<R>: &'m R, slice::Iter<'m, R>, |this| this.iter());

#[cfg(feature = "serde")]
impl<R: serde::Serialize> serde::Serialize for Many<R> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de, R: serde::Deserialize<'de>> serde::Deserialize<'de> for Many<R> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        vec::Vec::deserialize(deserializer).map(|edges| Self { edges: edges.into() })
    }
}

// The impls that `#[derive(Component)]` expands to for other components.

impl<R: Relation> IsComponent for Many<R> {
    type Kind = R::Kind;
}

impl<R: Relation<Stored = Self> + Send + Sync> Component for Many<R> {
    const COMPONENT_NAME: &'static str = R::__STORED;
}

impl<R: ManyRelation, W: World> ComponentOf<W> for Many<R>
where
    R::Kind: WorldKind<W>,
{
    type Kind = R::Kind;
}

impl<R: Relation> Stored for Many<R> {
    type Relation = R;
    const EXCLUSIVE: bool = false;

    fn edges(&self) -> &[R] {
        self.as_slice()
    }
    fn count(&self) -> usize {
        self.len()
    }
    fn one(edge: R) -> Self {
        Self::one(edge)
    }
    fn put(&mut self, edge: R) -> Result<Option<R>, R> {
        Ok(self.add(edge))
    }
    fn take(&mut self, target: Entity) -> Option<R> {
        self.edges.remove(target.to_bits())
    }
    fn keep_targets(&mut self, keep: &dyn Fn(Entity) -> bool) -> bool {
        self.edges.as_vec().retain(|edge| keep(edge.target()));
        !self.is_empty()
    }
    fn into_one(mut self) -> Option<R> {
        self.edges.as_vec().pop()
    }
    fn map_targets(&mut self, map: &dyn Fn(Entity) -> Option<Entity>) -> bool {
        for edge in self.edges.as_vec() {
            map_target(edge, map);
        }
        true
    }
}
