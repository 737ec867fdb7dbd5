//! Dropping what entities hold.
#![expect(unsafe_code, reason = "columns are reached by their places in the world")]

use core::sync::atomic::Ordering;

use super::{World, WorldCell};
use crate::component::ComponentSet;
use crate::storage::mask::Bits;
use crate::storage::offset::Values;

/// A world of so many components at most asks all columns: that takes less than to find out which.
const FEW: usize = 8;

/// Drops all that `slot` has: the columns that are asked are those that ever held something in its block.
///
/// Where values need no dropping, clearing a bit is all there is to do, and that takes neither a call nor a guard.
#[inline]
pub(super) fn of_slot<W: World>(world: &mut W, slot: u32) {
    let cell = WorldCell::new(world);
    let plain = const { &plain::<W>().words() };
    if const { W::OFFSETS.len() <= FEW } {
        for &offset in W::OFFSETS {
            if let Values::Plain = offset.values {
                // SAFETY: the world is borrowed mutably, nothing of this column is lent, and it is there.
                unsafe { &mut *cell.table(offset) }.forget(slot);
            }
        }
        if const { all_plain::<W>() } {
            return;
        }
    }
    let mut others = 0;
    for (part, (held, plain)) in cell.entities().held(slot).iter().zip(&plain.0).enumerate() {
        let held = held.load(Ordering::Relaxed);
        if const { W::OFFSETS.len() > FEW } {
            for bit in Bits(held & plain) {
                // SAFETY: `plain` has the bits of columns only; the world is borrowed mutably, nothing of this column is
                // lent, and it is there.
                unsafe { &mut *cell.table(*W::OFFSETS.get_unchecked(part * 64 + bit)) }.forget(slot);
            }
        }
        others |= held & !plain;
    }
    if others != 0 {
        drop_of_slot(world, slot);
    }
}

/// Drops the values of `slot` that need dropping.
#[inline(never)]
fn drop_of_slot<W: World>(world: &mut W, slot: u32) {
    let held = world.__living().columns_of(slot);
    in_columns(world, held, Some(slot));
}

/// Drops all that all entities have.
pub(super) fn all<W: World>(world: &mut W) {
    in_columns(world, 0..W::OFFSETS.len(), None);
}

/// Drops the value of one slot, or all values, in these columns; if a drop panics, the rest is dropped all the same.
fn in_columns<W: World>(world: &mut W, columns: impl Iterator<Item = usize>, slot: Option<u32>) {
    struct Rest<'w, W: World, I: Iterator<Item = usize>>(&'w mut W, I, Option<u32>);
    impl<W: World, I: Iterator<Item = usize>> Rest<'_, W, I> {
        fn run(&mut self) {
            let Self(world, columns, slot) = self;
            for index in columns {
                let Some(&offset) = W::OFFSETS.get(index) else { continue };
                let cell = WorldCell::new(&mut **world);
                // SAFETY: the world is borrowed mutably, nothing of this column is lent, and it is there, and of the
                // type that its functions know.
                unsafe {
                    match (offset.values, *slot) {
                        (Values::None, _) => {}
                        (Values::Plain, Some(slot)) => (*cell.table(offset)).forget(slot),
                        (Values::Plain, None) => (*cell.table(offset)).forget_all(),
                        (Values::Dropped(drops), Some(slot)) => (drops.one)(cell.table(offset), slot),
                        (Values::Dropped(drops), None) => (drops.all)(cell.table(offset)),
                    }
                }
            }
        }
    }
    impl<W: World, I: Iterator<Item = usize>> Drop for Rest<'_, W, I> {
        fn drop(&mut self) {
            self.run();
        }
    }
    Rest(world, columns, slot).run();
}

/// The columns whose values need no dropping.
const fn plain<W: World>() -> ComponentSet {
    let (mut set, mut i) = (ComponentSet::EMPTY, 0);
    while i < W::OFFSETS.len() {
        if matches!(W::OFFSETS[i].values, Values::Plain) {
            set = set.with(i);
        }
        i += 1;
    }
    set
}

/// Whether no column has values that need dropping.
const fn all_plain<W: World>() -> bool {
    let mut i = 0;
    while i < W::OFFSETS.len() {
        if matches!(W::OFFSETS[i].values, Values::Dropped(_)) {
            return false;
        }
        i += 1;
    }
    true
}
