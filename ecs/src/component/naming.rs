//! Relations whose options name components of the world: `gone = mark(CleanUp)`, `target(Health)`.
//!
//! The rule of a relation has access to its own column only. It collects the sources to mark in a
//! list. When all dependent entities are despawned, too, the world adds the component to those
//! sources that are still alive: see `raw_world/discard.rs`. The components of targets are looked
//! up by `raw_world/targets.rs`.

use core::marker::PhantomData;

use crate::base::component_set::ComponentSet;
use crate::base::disabling::Disables;
use crate::base::exclusion::Exclusion;
use crate::component::packed::StoragePart;
use crate::component::requires::{RequiredInserter, WorldPart};
use crate::raw_world::RawWorld;

/// The components of a world that the options of a relation name.
pub struct RelationComponents {
    /// The component that the sources get when their target is despawned: `gone = mark(..)`.
    pub mark: Option<usize>,
    /// The components that every target has: `target(..)`.
    pub targets: ComponentSet,
}

/// A relation whose options name components of world `W`. Implemented by `derive(Relation)`.
pub trait NamesComponents<W: RawWorld>: 'static {
    /// The components.
    const COMPONENTS: RelationComponents;
    /// Adds the mark to an entity that lacks it.
    fn mark(_at: &mut RequiredInserter<'_, W>) {}
}

/// The `WorldPart` of a relation `R` that names components and has the properties `P` besides.
pub struct Naming<R, P = ()>(PhantomData<fn() -> (R, P)>);

impl<R: 'static, P: StoragePart> StoragePart for Naming<R, P> {
    const PACKED: bool = P::PACKED;
    type Part = Self;
}

impl<W: RawWorld, R: NamesComponents<W>, P: StoragePart<Part: WorldPart<W>>> WorldPart<W> for Naming<R, P> {
    const EXCLUSION: Exclusion = P::Part::EXCLUSION;
    const DISABLES: Disables = P::Part::DISABLES;
    const NAMED: Option<&'static RelationComponents> = Some(const { &R::COMPONENTS });
    #[inline]
    fn fill(at: &mut RequiredInserter<'_, W>) {
        P::Part::fill(at);
    }
    fn mark(at: &mut RequiredInserter<'_, W>) {
        R::mark(at);
    }
}
