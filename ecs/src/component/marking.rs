//! Relations that mark a source when its target dies: `gone = mark(CleanUp)`.
//!
//! The rule of a relation reaches its own column only. It lists the sources, and the world marks those that are still alive
//! when all entities that die together are dead: see `world/discard`.

use core::marker::PhantomData;

use crate::base::exclusion::Exclusion;
use crate::component::requires::{RequiredInserter, WorldKind};
use crate::world::World;

/// A relation whose sources get a component of world `W` when their target dies. Derived with `Relation`.
pub trait MarksSources<W: World>: 'static {
    /// The index of the component in the world.
    const MARK: usize;
    /// Adds the component to an entity that lacks it.
    fn mark(at: &mut RequiredInserter<'_, W>);
}

/// The kind of a relation `R` that is of kind `K` and marks its sources.
pub struct WithMark<R, K>(PhantomData<fn() -> (R, K)>);

impl<W: World, R: MarksSources<W>, K: WorldKind<W>> WorldKind<W> for WithMark<R, K> {
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
