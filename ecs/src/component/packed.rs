//! The option `storage = "packed"`, as a part of a component's kind.

use core::marker::PhantomData;

use super::requires::{Demands, RequiredInserter, WorldPart};
use crate::base::disabling::Disables;
use crate::base::exclusion::Exclusion;
use crate::raw_world::RawWorld;

/// A parameter of [`Kind`](super::kind::Kind): whether the column is packed. `()` says that it is
/// not.
pub trait StoragePart: 'static {
    /// Whether the column is packed.
    const PACKED: bool = false;
}

impl StoragePart for () {}
impl<T: 'static> StoragePart for Demands<T> {}

/// The column is packed; `P` has the properties that depend on the world.
pub struct Packed<P = ()>(PhantomData<fn() -> P>);

impl<P: 'static> StoragePart for Packed<P> {
    const PACKED: bool = true;
}

impl<W: RawWorld, P: WorldPart<W>> WorldPart<W> for Packed<P> {
    const EXCLUSION: Exclusion = P::EXCLUSION;
    const DISABLES: Disables = P::DISABLES;
    const MARK: Option<usize> = P::MARK;
    #[inline]
    fn fill(at: &mut RequiredInserter<'_, W>) {
        P::fill(at);
    }
    fn mark(at: &mut RequiredInserter<'_, W>) {
        P::mark(at);
    }
}
