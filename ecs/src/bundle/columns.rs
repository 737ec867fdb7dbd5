//! Spawning many entities of one kind from a column of values for each component.
#![expect(unsafe_code, reason = "rows are written before their bits are set")]

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;

use super::batch::{Count, Spawned, Unfilled, spawn_batch};
use super::{Bundle, One, Parts};
use crate::component::{Component, Has};
use crate::storage::column::Column;
use crate::world::{World, WorldCell};

/// The values of entities to come, component by component: a tuple of up to twelve `Vec`s, arrays, or other iterators
/// that know how many values they give. See [`World::spawn_columns`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of columns of world `{W}`",
    label = "not columns of `{W}`",
    note = "columns are a tuple of `Vec`s, arrays or iterators that know their length (`ExactSizeIterator`), one for each component"
)]
pub trait Columns<W: World> {
    #[doc(hidden)]
    fn spawn(self, world: &mut W) -> Spawned<'_>;
}

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
        impl<W, $($column, $item),+> Columns<W> for ($($column,)+)
        where
            W: World $(+ Has<$item>)+,
            $($column: Values<Item = $item>, $item: Component,)+
            ($($item,)+): Bundle<W>,
        {
            #[allow(non_snake_case)]
            fn spawn(self, world: &mut W) -> Spawned<'_> {
                type Of<$($item),+> = ($(One<$item>,)+);
                let ($($column,)+) = self;
                let ($(mut $column,)+) = ($($column.into_iter(),)+);
                let len = same_len(&[$((W::COMPONENTS[<W as Has<$item>>::INDEX], $column.len())),+]);
                if <Of<$($item),+> as Parts<W>>::REQUIRES || <Of<$($item),+> as Parts<W>>::GUARDED {
                    return spawn_batch(world, (0..len).map(|_| ($(row(&mut $column),)+)));
                }
                let cell = WorldCell::new(world);
                let kind = const { &<Of<$($item),+> as Parts<W>>::SET.kind(W::COMPONENTS.len()) };
                let mut new = New { world: cell, ranges: Vec::new() };
                // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
                unsafe { cell.entities_mut() }.spawn_many(kind, len, &mut new.ranges);
                // SAFETY: these slots are new, of entities that hold these components.
                $(unsafe { fill(cell, &new.ranges, &mut $column) };)+
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

/// The next value of a column that has one.
fn row<T>(column: &mut impl Iterator<Item = T>) -> T {
    column.next().expect(ENDED)
}

/// What is said of an iterator that gives less than it announced.
const ENDED: &str = "`spawn_columns`: a column has as many values as its iterator said";

/// Entities that do not have all that they should: despawned, unless all goes well.
struct New<'w, W: World> {
    world: WorldCell<'w, W>,
    ranges: Vec<Range<u32>>,
}

impl<W: World> Drop for New<'_, W> {
    fn drop(&mut self) {
        for slots in self.ranges.drain(..) {
            drop(Unfilled { world: self.world, slots });
        }
    }
}

/// Gives all slots a value.
///
/// # Safety
/// The cell is exclusive, and nothing of the column is lent. The slots are of new entities, which do not have the component,
/// and whose block is known to hold it.
unsafe fn fill<W: Has<T>, T: 'static>(
    world: WorldCell<'_, W>,
    ranges: &[Range<u32>],
    values: &mut impl Iterator<Item = T>,
) {
    let page = Column::<T>::SLOTS as u32;
    for range in ranges {
        let mut from = range.start;
        while from < range.end {
            let to = range.end.min((from / page).saturating_add(1).saturating_mul(page));
            // SAFETY: the caller's promise; the run is within a page.
            unsafe { fill_run(world, from..to, values) };
            from = to;
        }
    }
}

/// The same for slots of one page.
///
/// # Safety
/// As for [`fill`].
#[inline]
unsafe fn fill_run<W: Has<T>, T: 'static>(
    world: WorldCell<'_, W>,
    slots: Range<u32>,
    values: &mut impl Iterator<Item = T>,
) {
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
    let rows = One::<T>::rows(world, slots.start, len);
    let mut run = Run { world, from: slots.start, written: 0, of: PhantomData };
    let mut count = Count { rows: 0, written: &mut run.written };
    values.take(len).for_each(|value| {
        assert!(count.rows < len, "the iterator goes on after its consumer has stopped");
        // SAFETY: no more rows are written than there are slots; nothing is there yet.
        unsafe { rows.add(count.rows).write(value) };
        count.rows += 1;
    });
    drop(count);
    assert!(run.written as usize == len, "{ENDED}");
}

macro_rules! all_columns {
    (@ [$($done:ident $item:ident),*]) => {};
    (@ [$($done:ident $item:ident),*] $column:ident $of:ident $($more:tt)*) => {
        columns!($($done $item,)* $column $of);
        all_columns!(@ [$($done $item,)* $column $of] $($more)*);
    };
}
all_columns!(@ [] A TA B TB C TC D TD E TE F TF G TG H TH I TI J TJ K TK L TL);
