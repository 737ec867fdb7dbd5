//! Dropping what entities hold.
#![expect(unsafe_code, reason = "bits of columns are cleared by the columns' places in the world")]

use core::sync::atomic::Ordering;

use super::{World, WorldCell};
use crate::component::ComponentSet;
use crate::storage::any::AnyColumn;
use crate::storage::mask::Bits;

/// Drops all that `slot` has: the columns that are asked are those that ever held something in its block.
///
/// Where values need no dropping, clearing a bit is all there is to do, and that takes neither a call nor a guard.
#[inline]
pub(super) fn of_slot<W: World>(world: &mut W, slot: u32) {
    let cell = WorldCell::new(world);
    let (word, bit) = (slot as usize / 64, 1u64 << (slot % 64));
    let mut others = 0;
    for (part, (held, plain)) in
        cell.entities().held(slot).iter().zip(const { plain::<W>().words().0 }).enumerate()
    {
        let held = held.load(Ordering::Relaxed);
        for i in Bits(held & plain) {
            let offset = W::OFFSETS[part * 64 + i];
            // SAFETY: the world is borrowed mutably, and nothing of this column is lent. The offset is that of a
            // column, which begins with its masks.
            let masks = unsafe { cell.masks_mut(offset) };
            if let Some(mask) = masks.get_mut(word) {
                *mask &= !bit;
            }
        }
        others |= held & !plain;
    }
    if others != 0 {
        of_slot_others(world, slot);
    }
}

#[inline(never)]
fn of_slot_others<W: World>(world: &mut W, slot: u32) {
    let others = world.__living().columns_of(slot).filter(|&index| !const { plain::<W>() }.contains(index));
    in_columns(world, others, |column| column.discard(slot));
}

/// Drops values in these columns; if a drop panics, the rest is dropped all the same.
pub(super) fn in_columns<W: World>(
    world: &mut W,
    columns: impl Iterator<Item = usize>,
    drop_values: impl FnMut(&mut dyn AnyColumn),
) {
    struct Rest<'w, W: World, I: Iterator<Item = usize>, F: FnMut(&mut dyn AnyColumn)>(&'w mut W, I, F);
    impl<W: World, I: Iterator<Item = usize>, F: FnMut(&mut dyn AnyColumn)> Rest<'_, W, I, F> {
        fn run(&mut self) {
            for index in self.1.by_ref() {
                if let Some(column) = self.0.__column_mut(index) {
                    (self.2)(column);
                }
            }
        }
    }
    impl<W: World, I: Iterator<Item = usize>, F: FnMut(&mut dyn AnyColumn)> Drop for Rest<'_, W, I, F> {
        fn drop(&mut self) {
            self.run();
        }
    }
    Rest(world, columns, drop_values).run();
}

/// The columns whose values need no dropping.
const fn plain<W: World>() -> ComponentSet {
    let (mut set, mut i) = (ComponentSet::EMPTY, 0);
    while i < W::OFFSETS.len() {
        if W::OFFSETS[i].plain {
            set = set.with(i);
        }
        i += 1;
    }
    set
}
