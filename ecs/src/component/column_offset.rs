//! Computes the offset of a component's column in its world, as a constant.
#![expect(
    unsafe_code,
    reason = "later, the column is reached by its offset, so that the offset must be right"
)]

use super::Has;
use super::requires::{RequiredInserter, WorldKind};
use crate::entity::Entity;
use crate::storage::column::Column;
use crate::storage::column_offset::{ColumnOffset, Mark};

/// Computes the offset of a column in its world.
///
/// # Safety
/// `column` points to a field of the world that `world` points to. The memory may be uninitialised.
pub const unsafe fn column_offset<W: Has<T>, T: 'static>(
    world: *const W,
    column: *const Column<T>,
) -> ColumnOffset {
    let mark = match <W::Kind as WorldKind<W>>::MARK {
        Some(component) => Some(Mark { component, give: mark::<W, T> }),
        None => None,
    };
    // SAFETY: by the caller's contract both point into one world, and the address of a field is not below that of its struct.
    let bytes = unsafe { column.byte_offset_from_unsigned(world) };
    ColumnOffset::new::<T, W::Kind>(bytes, <W::Kind as WorldKind<W>>::EXCLUSION, mark)
}

/// Adds the component that relation `T` marks with: the function of [`Mark::give`].
///
/// # Safety
/// The contract of [`Mark::give`].
unsafe fn mark<W: Has<T>, T: 'static>(world: *mut (), entity: Entity) {
    // SAFETY: by the contract of `Mark::give` this is the address of a `W` that is borrowed mutably.
    let world = unsafe { &mut *world.cast::<W>() };
    <W::Kind as WorldKind<W>>::mark(&mut RequiredInserter::new(world, entity));
}
