//! Components that exclude each other: an entity has at most one of them.
//!
//! Both components declare the exclusion, by [`Excludes`], so that an insertion checks only the
//! list of the inserted component. A world may lack one of the two: a component is found in the
//! world by a number that its derive has generated. A component with type parameters has many
//! instances and one derive. It is found by its index in the world instead, so that the world must
//! have it.

use core::marker::PhantomData;

use crate::base::component_set::ComponentSet;
use crate::base::exclusion::ExclusionKey;
use crate::raw_world::RawWorld;
use crate::storage::column_offset::columns_where;

/// A component that excludes others; the world `W` may lack it. Implemented with
/// `#[component(excludes(Frozen))]`.
pub trait ExcludesOthers<W: RawWorld> {
    /// The key by which it is found in a bundle: see [`Find`](crate::base::typeset::Find).
    type At;
    /// The key by which it is found in the world.
    const KEY: ExclusionKey;
}

/// A component that excludes the component `T`.
#[diagnostic::on_unimplemented(
    message = "component `{T}` excludes `{Self}`, which does not exclude it: write `#[component(excludes({T}))]` on `{Self}` as well",
    label = "does not exclude `{T}`"
)]
pub trait Excludes<W: RawWorld, T: ?Sized>: ExcludesOthers<W> {}

/// Whether the key is that of the component with this index.
const fn is_of<W: RawWorld>(key: ExclusionKey, index: usize) -> bool {
    match (key, W::OFFSETS[index].exclusion.own) {
        (ExclusionKey::Number(number), Some(ExclusionKey::Number(own))) => number == own,
        (ExclusionKey::Index(other), _) => other == index,
        _ => false,
    }
}

/// The components of a world that the component with this index excludes.
pub(crate) const fn excluded_by<W: RawWorld>(index: usize) -> ComponentSet {
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

/// The components of a world that exclude others.
pub(crate) struct Exclusions<W>(PhantomData<fn() -> W>);

impl<W: RawWorld> Exclusions<W> {
    /// Whether no component of the world excludes others.
    pub(crate) const NONE: bool = Self::ALL.is_empty();
    /// The set of the components that exclude others.
    pub(crate) const ALL: ComponentSet = columns_where!(W, |offset| !offset.exclusion.others.is_empty());
}

/// Two components of a set that exclude each other.
pub(crate) const fn pair<W: RawWorld>(of: ComponentSet) -> Option<(usize, usize)> {
    let mut rest = of.and(Exclusions::<W>::ALL);
    while let Some(i) = rest.first() {
        if let Some(other) = excluded_by::<W>(i).and(of).first() {
            return Some((i, other));
        }
        rest = rest.minus(ComponentSet::EMPTY.with(i));
    }
    None
}
