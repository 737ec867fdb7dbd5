//! Relations that add a component to a source when its target is despawned: `gone = mark(CleanUp)`.
//!
//! The rule of a relation has access to its own column only. It collects the sources in a list. When all dependent entities are
//! despawned, too, the world adds the component to those sources that are still alive: see `raw_world/discard.rs`.

use core::marker::PhantomData;

use crate::base::exclusion::Exclusion;
use crate::component::requires::{RequiredInserter, WorldKind};
use crate::raw_world::RawWorld;

/// A relation whose sources get a component of world `W` when their target is despawned. Implemented by `derive(Relation)`.
pub trait MarksSources<W: RawWorld>: 'static {
    /// The index of the component in the world.
    const MARK: usize;
    /// Adds the component to an entity that lacks it.
    fn mark(at: &mut RequiredInserter<'_, W>);
}

/// The kind of a relation `R` of kind `K` that marks its sources.
pub struct WithMark<R, K>(PhantomData<fn() -> (R, K)>);

impl<W: RawWorld, R: MarksSources<W>, K: WorldKind<W>> WorldKind<W> for WithMark<R, K> {
    const EXCLUSION: Exclusion = K::EXCLUSION;
    const MARK: Option<usize> = Some(R::MARK);
    #[inline]
    fn fill(at: &mut RequiredInserter<'_, W>) {
        K::fill(at);
    }
    fn mark(at: &mut RequiredInserter<'_, W>) {
        R::mark(at);
    }
}
