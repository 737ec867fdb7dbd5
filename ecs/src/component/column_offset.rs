//! The offset of a component's column in its world, in a constant.
#![expect(unsafe_code, reason = "an offset stands for the column that the expansion of `world!` names")]

use super::Has;
use super::requires::{RequiredInserter, WorldKind};
use crate::entity::Entity;
use crate::storage::column::Column;
use crate::storage::column_offset::{ColumnOffset, Mark};
use crate::world::WorldCell;

/// The offset of a column in its world, in a constant.
///
/// # Safety
/// `column` is a field of the world that `world` points to, of which there need be no more than the memory.
pub const unsafe fn column_offset<W: Has<T>, T: 'static>(
    world: *const W,
    column: *const Column<T>,
) -> ColumnOffset {
    let mark = match <W::Kind as WorldKind<W>>::MARK {
        Some(component) => Some(Mark { component, give: mark::<W, T> }),
        None => None,
    };
    // SAFETY: both point into one world, and a field is not before its struct.
    let bytes = unsafe { column.byte_offset_from_unsigned(world) };
    ColumnOffset::new::<T, W::Kind>(bytes, <W::Kind as WorldKind<W>>::EXCLUSION, mark)
}

/// # Safety
/// See [`Mark::give`].
unsafe fn mark<W: Has<T>, T: 'static>(world: *mut (), entity: Entity) {
    // SAFETY: the caller's promise.
    let world = unsafe { &mut *world.cast::<W>() };
    // SAFETY: the world is borrowed mutably, and nothing of it is lent.
    <W::Kind as WorldKind<W>>::mark(&mut unsafe { RequiredInserter::new(WorldCell::new(world), entity) });
}
