//! Components that exclude each other: an entity has one of them at most.
//!
//! Both sides say so, by [`Excludes`]: whoever gets the second one asks only what that one excludes. A world need not have both:
//! a component is looked for among those of the world by its number, which its derive has made up. One with type parameters has
//! many instances and one derive, so that it is known by its place in the world instead, which must have it.

use core::marker::PhantomData;

use super::Requirements;
use super::requires::{RequiredInserter, WorldKind};
use crate::base::component_set::ComponentSet;
use crate::base::exclusion::{Exclusion, ExclusionKey};
use crate::world::World;

/// A component that excludes others, of a world that may lack it. Derived: `#[component(excludes(Frozen))]`.
pub trait Exclusive<W: World> {
    /// What it is found by in a bundle: see [`Lacks`](crate::base::typeset::Lacks).
    type At;
    /// What it is found by in the world.
    const KEY: ExclusionKey;
}

/// A component that excludes the component `T`.
#[diagnostic::on_unimplemented(
    message = "component `{T}` excludes `{Self}`, which does not exclude it: write `#[component(excludes({T}))]` on `{Self}` as well",
    label = "does not exclude `{T}`"
)]
pub trait Excludes<W: World, T: ?Sized>: Exclusive<W> {}

/// Whether it is that of the component with this index.
const fn is_of<W: World>(key: ExclusionKey, index: usize) -> bool {
    match (key, W::OFFSETS[index].exclusion.own) {
        (ExclusionKey::Number(number), Some(ExclusionKey::Number(own))) => number == own,
        (ExclusionKey::Index(other), _) => other == index,
        _ => false,
    }
}

/// The components of a world that the component with this index excludes.
pub(crate) const fn excluded_by<W: World>(index: usize) -> ComponentSet {
    let (others, mut set, mut i) = (W::OFFSETS[index].exclusion.others, ComponentSet::EMPTY, 0);
    while i < others.len() {
        let mut other = 0;
        while other < W::OFFSETS.len() {
            if is_of::<W>(others[i], other) {
                set = set.with(other);
            }
            other += 1;
        }
        i += 1;
    }
    set
}

/// What a component `T` of kind `K` is that excludes others.
pub struct Excluding<T, K>(PhantomData<fn() -> (T, K)>);

impl<W: World, T: Requirements<W> + 'static, K: WorldKind<W>> WorldKind<W> for Excluding<T, K> {
    const EXCLUSION: Exclusion = T::EXCLUSION;
    #[inline]
    fn fill(at: &mut RequiredInserter<'_, W>) {
        K::fill(at);
    }
}

/// The components of a world that exclude others.
pub(crate) struct Exclusions<W>(PhantomData<fn() -> W>);

impl<W: World> Exclusions<W> {
    /// Whether there are none.
    pub(crate) const NONE: bool = Self::ALL.is_empty();
    pub(crate) const ALL: ComponentSet = {
        let (mut set, mut i) = (ComponentSet::EMPTY, 0);
        while i < W::OFFSETS.len() {
            if !W::OFFSETS[i].exclusion.others.is_empty() {
                set = set.with(i);
            }
            i += 1;
        }
        set
    };
}

/// Two components of a set that exclude each other.
pub(crate) const fn pair<W: World>(of: ComponentSet) -> Option<(usize, usize)> {
    let mut rest = of.and(Exclusions::<W>::ALL);
    while let Some(i) = rest.first() {
        if let Some(other) = excluded_by::<W>(i).and(of).first() {
            return Some((i, other));
        }
        rest = rest.minus(ComponentSet::EMPTY.with(i));
    }
    None
}
