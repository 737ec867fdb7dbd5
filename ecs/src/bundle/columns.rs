//! Spawning many entities of one kind from a column of values for each component.
#![expect(unsafe_code, reason = "rows are written before their bits are set")]

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;

use super::batch::{Count, MOST, Spawned, Unfilled, spawn_one, within_page};
use super::{Bundle, BundleComponents, IntoComponents, One};
use crate::component::{Component, Has};
use crate::entity::allocator::{Entities, append};
use crate::storage::column::Column;
use crate::world::{World, WorldCell};

/// The values of entities to come, component by component: a tuple of up to twelve `Vec`s, arrays, or other iterators
/// that know how many values they give. See [`World::spawn_columns`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of columns of world `{W}`",
    label = "not columns of `{W}`",
    note = "columns are a tuple of `Vec`s, arrays or iterators that know their length (`ExactSizeIterator`), one for each component"
)]
pub trait Columns<W: World>: Tuple {
    #[doc(hidden)]
    fn spawn(self, world: &mut W) -> Spawned<'_>;
}

/// Of tuples and of nothing else: `Columns` is for the library to implement.
pub trait Tuple {}

/// Values of one component, of which it is known how many they are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a column: it does not say how many values it gives",
    label = "of unknown length",
    note = "`collect` it into a `Vec` first; or `spawn_batch`, which takes any iterator of bundles"
)]
pub trait Values: IntoIterator<IntoIter = Self::Exactly> {
    #[doc(hidden)]
    type Exactly: ExactSizeIterator<Item = Self::Item>;
}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator<IntoIter: ExactSizeIterator>> Values for I {
    type Exactly = I::IntoIter;
}

macro_rules! columns {
    ($($column:ident $item:ident),+) => {
        impl<$($column),+> Tuple for ($($column,)+) {}

        impl<W, $($column, $item),+> Columns<W> for ($($column,)+)
        where
            W: World $(+ Has<$item>)+,
            $($column: Values<Item = $item>, $item: Component,)+
            ($($item,)+): Bundle<W>,
        {
            #[allow(non_snake_case)]
            fn spawn(self, world: &mut W) -> Spawned<'_> {
                let ($($column,)+) = self;
                let ($(mut $column,)+) = ($($column.into_iter(),)+);
                let len = same_len(&[$((W::COMPONENTS[<W as Has<$item>>::INDEX], $column.len())),+]);
                make_room(world.__living(), len, &[$(size_of::<$item>()),+]);
                let cell = WorldCell::new(world);
                // an address: of a branch the compiler walks through all that it mentions, even where it is never taken
                if let Some(row_by_row) = const { RowByRow::<W, ($($item,)+)>::SPAWN } {
                    // SAFETY: the world is borrowed mutably, and nothing of it is lent.
                    return unsafe { row_by_row(cell, len, &mut |row| ($(value::<W, $item>(&mut $column, row, len),)+)) };
                }
                let kind = const { &<<($($item,)+) as IntoComponents<W>>::BundleComponents as BundleComponents<W>>::SET.spawn_set(W::COMPONENTS.len()) };
                let discard = |slot| {
                    // SAFETY: the cell is exclusive.
                    $(unsafe { cell.column_mut::<$item>() }.discard(slot);)+
                };
                let mut new = New { world: cell, ranges: Vec::new(), piece: Vec::new(), discard };
                let mut row = 0;
                while row < len {
                    // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
                    unsafe { cell.entities_mut() }.spawn_many(kind, MOST.min(len - row), &mut new.piece);
                    // SAFETY: these slots are new, of entities that hold these components.
                    $(unsafe { write(cell, &new.piece, &mut $column, row, len) };)+
                    row += new.done();
                }
                Spawned::new(cell.entities(), core::mem::take(&mut new.ranges))
            }
        }
    };
}

/// How long all columns are.
fn same_len(columns: &[(&str, usize)]) -> usize {
    let (first, len) = columns[0];
    for (name, other) in columns {
        assert!(
            *other == len,
            "`spawn_columns`: there are {len} values of `{first}`, and {other} of `{name}`"
        );
    }
    len
}

/// Checks that there is room for `len` entities: an iterator may announce any length, and an allocation that fails later ends
/// the process.
///
/// # Panics
/// If there are fewer than `len` slots, or no memory for the values.
fn make_room(entities: &Entities, len: usize, sizes: &[usize]) {
    if len <= MOST {
        return;
    }
    let slots = entities.room();
    assert!(
        len <= slots,
        "`spawn_columns`: {len} entities are announced, and the world has room for {slots}"
    );
    // a generation for each slot, and the masks of each 64 slots
    let each = sizes.iter().sum::<usize>() + size_of::<u32>() + 1;
    let bytes = each.saturating_mul(len);
    let is_there = Vec::<u8>::new().try_reserve_exact(bytes).is_ok();
    assert!(
        is_there,
        "`spawn_columns`: {len} entities are announced, and there is no memory for their {bytes} bytes"
    );
}

/// Says that an iterator gave less than it announced.
#[cold]
fn ended(component: &str, said: usize, given: usize) -> ! {
    panic!("`spawn_columns`: the column of `{component}` said {said} values, and gave {given}")
}

/// The value of a column for a row.
fn value<W: Has<T>, T: 'static>(column: &mut impl Iterator<Item = T>, row: usize, said: usize) -> T {
    column.next().unwrap_or_else(|| ended(W::COMPONENTS[W::INDEX], said, row))
}

/// Entities to come whose components do not have their values yet: unless all goes well, those that were written are
/// dropped, and nobody ever was.
struct New<'w, W: World, D: Fn(u32)> {
    world: WorldCell<'w, W>,
    ranges: Vec<Range<u32>>,
    /// The slots that are being written.
    piece: Vec<Range<u32>>,
    /// Drops what there is at a slot.
    discard: D,
}

impl<W: World, D: Fn(u32)> New<'_, W, D> {
    /// The piece is written; how many slots it had.
    fn done(&mut self) -> usize {
        let mut rows = 0;
        for slots in self.piece.drain(..) {
            rows += slots.len();
            append(&mut self.ranges, slots);
        }
        rows
    }
}

impl<W: World, D: Fn(u32)> Drop for New<'_, W, D> {
    fn drop(&mut self) {
        for slot in self.ranges.drain(..).chain(self.piece.drain(..)).flatten() {
            (self.discard)(slot);
            // SAFETY: the world is borrowed mutably by whoever made this guard, and the borrow of the entities ends with the
            // statement.
            unsafe { self.world.entities_mut() }.unspawn(slot);
        }
    }
}

/// Gives all slots a value; `row` is that of the first, and `said` is how many there will be.
///
/// # Safety
/// The cell is exclusive, and nothing of the column is lent. The slots are of new entities, which do not have the component,
/// and whose block is known to hold it.
unsafe fn write<W: Has<T>, T: 'static>(
    world: WorldCell<'_, W>,
    ranges: &[Range<u32>],
    values: &mut impl Iterator<Item = T>,
    row: usize,
    said: usize,
) {
    let mut row = row;
    for range in ranges {
        let mut left = range.clone();
        while !left.is_empty() {
            let run = within_page(&left, Column::<T>::WORDS);
            left.start = run.end;
            let asked = run.len();
            // SAFETY: the caller's promise; the run is within a page.
            let written = unsafe { write_run(world, run, values) };
            row += written;
            if written < asked {
                ended(W::COMPONENTS[W::INDEX], said, row);
            }
        }
    }
}

/// The same for slots of one page; how many values there were.
///
/// # Safety
/// As for [`write`].
#[inline]
unsafe fn write_run<W: Has<T>, T: 'static>(
    world: WorldCell<'_, W>,
    slots: Range<u32>,
    values: &mut impl Iterator<Item = T>,
) -> usize {
    /// What is written counts, also if the iterator panics.
    struct Run<'w, W: Has<T>, T: 'static> {
        world: WorldCell<'w, W>,
        from: u32,
        written: u32,
        of: PhantomData<fn() -> T>,
    }
    impl<W: Has<T>, T: 'static> Drop for Run<'_, W, T> {
        fn drop(&mut self) {
            if self.written > 0 {
                // SAFETY: these rows were written.
                unsafe { One::<T>::commit(self.world, self.from, self.written as usize) };
            }
        }
    }
    let len = slots.len();
    // SAFETY: the caller's promise.
    let rows = unsafe { One::<T>::rows(world, slots.start, len) };
    let mut run = Run { world, from: slots.start, written: 0, of: PhantomData };
    let mut count = Count { rows: 0, written: &mut run.written };
    while count.rows < len
        && let Some(value) = values.next()
    {
        // SAFETY: no more rows are written than there are slots; nothing is there yet.
        unsafe { rows.add(count.rows).write(value) };
        count.rows += 1;
    }
    drop(count);
    run.written as usize
}

/// How entities with bundle `B` are spawned of which some component has a rule, or requires others: one after the other.
struct RowByRow<W, B>(PhantomData<(W, B)>);

/// Spawns so many entities, with what the function gives for each row.
///
/// # Safety
/// As for [`WorldCell::put`].
type SpawnRows<W, B> = for<'w> unsafe fn(WorldCell<'w, W>, usize, &mut dyn FnMut(usize) -> B) -> Spawned<'w>;

impl<W: World, B: Bundle<W>> RowByRow<W, B> {
    const SPAWN: Option<SpawnRows<W, B>> =
        if B::BundleComponents::REQUIRES || B::BundleComponents::GUARDED { Some(Self::spawn) } else { None };

    /// # Safety
    /// As for [`WorldCell::put`].
    unsafe fn spawn<'w>(world: WorldCell<'w, W>, len: usize, row: &mut dyn FnMut(usize) -> B) -> Spawned<'w> {
        /// Despawned, unless all goes well.
        struct Made<'w, W: World>(WorldCell<'w, W>, Vec<Range<u32>>);
        impl<W: World> Drop for Made<'_, W> {
            fn drop(&mut self) {
                for slots in self.1.drain(..) {
                    drop(Unfilled { world: self.0, slots });
                }
            }
        }
        let mut made = Made(world, Vec::new());
        for at in 0..len {
            let parts = row(at).into_components();
            // SAFETY: the caller's promise.
            let slots = unsafe { spawn_one(world, parts) };
            append(&mut made.1, slots);
        }
        Spawned::new(world.entities(), core::mem::take(&mut made.1))
    }
}

macro_rules! all_columns {
    (@ [$($done:ident $item:ident),*]) => {};
    (@ [$($done:ident $item:ident),*] $column:ident $of:ident $($more:tt)*) => {
        columns!($($done $item,)* $column $of);
        all_columns!(@ [$($done $item,)* $column $of] $($more)*);
    };
}
all_columns!(@ [] A TA B TB C TC D TD E TE F TF G TG H TH I TI J TJ K TK L TL);
