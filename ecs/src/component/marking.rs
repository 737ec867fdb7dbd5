//! Relations that add a component to a source when its target is despawned: `gone = mark(CleanUp)`.
//!
//! The rule of a relation has access to its own column only. It collects the sources in a list.
//! When all dependent entities are despawned, too, the world adds the component to those sources
//! that are still alive: see `raw_world/discard.rs`.

use core::marker::PhantomData;

use crate::base::disabling::Disables;
use crate::base::exclusion::Exclusion;
use crate::component::packed::StoragePart;
use crate::component::requires::{RequiredInserter, WorldPart};
use crate::raw_world::RawWorld;

/// A relation whose sources get a component of world `W` when their target is despawned.
/// Implemented by `derive(Relation)`.
pub trait MarksSources<W: RawWorld>: 'static {
    /// The index of the component in the world.
    const MARK: usize;
    /// Adds the component to an entity that lacks it.
    fn mark(at: &mut RequiredInserter<'_, W>);
}

/// The `WorldPart` of a relation `R` that marks its sources and has the properties `P` besides.
pub struct SourceMark<R, P = ()>(PhantomData<fn() -> (R, P)>);

impl<R: 'static, P: StoragePart> StoragePart for SourceMark<R, P> {
    const PACKED: bool = P::PACKED;
    type Part = Self;
}

impl<W: RawWorld, R: MarksSources<W>, P: StoragePart<Part: WorldPart<W>>> WorldPart<W> for SourceMark<R, P> {
    const EXCLUSION: Exclusion = P::Part::EXCLUSION;
    const DISABLES: Disables = P::Part::DISABLES;
    const MARK: Option<usize> = Some(R::MARK);
    #[inline]
    fn fill(at: &mut RequiredInserter<'_, W>) {
        P::Part::fill(at);
    }
    fn mark(at: &mut RequiredInserter<'_, W>) {
        R::mark(at);
    }
}
