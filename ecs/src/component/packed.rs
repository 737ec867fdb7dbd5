//! The option `storage = "packed"`, as a part of a component's kind.

use core::marker::PhantomData;

use super::requires::Demands;

/// A parameter of [`Kind`](super::kind::Kind): whether the column is packed, and the properties
/// that depend on the world. `()` says that it is not, and has none.
pub trait StoragePart: 'static {
    /// Whether the column is packed.
    const PACKED: bool = false;
    /// The `WorldPart` with the properties that depend on the world.
    type Part;
}

impl StoragePart for () {
    type Part = ();
}
impl<T: 'static> StoragePart for Demands<T> {
    type Part = Self;
}

/// The column is packed; `P` has the properties that depend on the world.
pub struct Packed<P = ()>(PhantomData<fn() -> P>);

impl<P: 'static> StoragePart for Packed<P> {
    const PACKED: bool = true;
    type Part = P;
}
