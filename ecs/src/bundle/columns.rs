//! Spawning entities from columns of values, one column for each component:
//! `WorldMemory::spawn_columns`.

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;

use super::batch::{Incomplete, MOST, Spawned, spawn_one, within_page};
use super::components::note_run;
use super::{Bundle, BundleComponents};
use crate::base::component_set::ComponentSet;
use crate::base::vec_values::{VecValues, may_be_vec};
use crate::component::{Component, Has};
use crate::entity::allocator::{Entities, append};
use crate::raw_world::{RawWorld, WorldFields, journal};
use crate::storage::column::Column;

/// Columns of values to spawn entities from: a `Vec` or an array, or a tuple of up to twelve
/// `Vec`s, arrays, or other iterators with a known length, one for each component. See
/// [`WorldMemory::spawn_columns`](crate::world::WorldMemory::spawn_columns).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of columns of world `{W}`",
    label = "not columns of `{W}`",
    note = "columns are a tuple of `Vec`s, arrays or iterators that know their length (`ExactSizeIterator`), one for each component",
    note = "rows, one tuple of components for each entity, are spawned by `spawn_batch`"
)]
pub trait Columns<W: RawWorld>: Tuple {
    #[doc(hidden)]
    fn spawn(self, world: &mut W) -> Spawned<'_>;
}

/// Seals [`Columns`]: only the library implements it, for tuples, `Vec`s and arrays.
pub trait Tuple {}

/// Values of one component with a known length.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a column: its length is not known (`ExactSizeIterator`)",
    label = "of unknown length",
    note = "`collect` it into a `Vec` first, or use `spawn_batch`, which takes any iterator of bundles"
)]
pub trait ColumnValues: IntoIterator<IntoIter = Self::Exactly> {
    #[doc(hidden)]
    type Exactly: ExactSizeIterator<Item = Self::Item>;
}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator<IntoIter: ExactSizeIterator>> ColumnValues for I {
    type Exactly = I::IntoIter;
}

macro_rules! columns {
    ($($column:ident $item:ident),+) => {
        impl<$($column),+> Tuple for ($($column,)+) {}

        impl<W, $($column, $item),+> Columns<W> for ($($column,)+)
        where
            W: RawWorld $(+ Has<$item>)+,
            $($column: ColumnValues<Item = $item>, $item: Component,)+
            ($($item,)+): Bundle<W>,
        {
            #[allow(non_snake_case)]
            fn spawn(self, world: &mut W) -> Spawned<'_> {
                let ($($column,)+) = self;
                let ($(mut $column,)+) = ($($column.into_iter(),)+);
                let len = same_len(&[$((W::COMPONENT_NAMES[<W as Has<$item>>::INDEX], $column.len())),+]);
                check_room(world.__living(), len, &[$(size_of::<$item>()),+]);
                // a function constant: see `docs/compile-times.md`
                if let Some(row_by_row) = const { RowByRow::<W, ($($item,)+)>::SPAWN } {
                    return row_by_row(world, len, &mut |row| ($(value::<W, $item>(&mut $column, row, len),)+));
                }
                let ($(mut $column,)+) = ($(ColumnSource { vec: VecValues::of(&mut $column), iterator: $column },)+);
                let set = const { &RowByRow::<W, ($($item,)+)>::SET.spawn_set(W::COMPONENT_NAMES.len()) };
                let discard = |world: &mut W, slot| {
                    $(world.column_mut::<$item>().discard(slot);)+
                };
                let mut new = NewSlots { world: &mut *world, ranges: Vec::new(), piece: Vec::new(), discard };
                let mut row = 0;
                while row < len {
                    new.world.entities_mut().spawn_many(set, MOST.min(len - row), &mut new.piece);
                    journal::record_spawned(new.world, new.piece.iter().cloned().flatten());
                    $(write(new.world, &new.piece, &mut $column, row, len);)+
                    row += new.done();
                }
                let ranges = core::mem::take(&mut new.ranges);
                drop(new);
                Spawned::new(world.__living(), ranges)
            }
        }
    };
}

impl<T> Tuple for Vec<T> {}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component> Columns<W> for Vec<T>
where
    (Self,): Columns<W>,
{
    fn spawn(self, world: &mut W) -> Spawned<'_> {
        (self,).spawn(world)
    }
}

impl<T, const N: usize> Tuple for [T; N] {}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component, const N: usize> Columns<W> for [T; N]
where
    (Self,): Columns<W>,
{
    fn spawn(self, world: &mut W) -> Spawned<'_> {
        (self,).spawn(world)
    }
}

/// The length of all columns.
///
/// # Panics
/// If the columns have different lengths.
fn same_len(columns: &[(&str, usize)]) -> usize {
    let (first, len) = columns[0];
    for (name, other) in columns {
        assert!(
            *other == len,
            "`spawn_columns`: the columns have different lengths: {len} values of `{first}`, and {other} of `{name}`"
        );
    }
    len
}

/// Checks that there is room for `len` entities. An iterator may claim any length, and a later
/// allocation that fails would abort the process.
///
/// # Panics
/// If there are fewer than `len` slots, or no memory for the values.
fn check_room(entities: &Entities, len: usize, sizes: &[usize]) {
    if len <= MOST {
        return;
    }
    let slots = entities.room();
    assert!(
        len <= slots,
        "`spawn_columns`: the columns have {len} values, and the world has room for {slots} entities"
    );
    // a generation for each slot, and the masks of each 64 slots
    let each = sizes.iter().sum::<usize>() + size_of::<u32>() + 1;
    let bytes = each.saturating_mul(len);
    let is_there = Vec::<u8>::new().try_reserve_exact(bytes).is_ok();
    assert!(
        is_there,
        "`spawn_columns`: the columns have {len} values, and there is no memory for their {bytes} bytes"
    );
}

/// Panics because an iterator has yielded fewer values than its length.
#[cold]
fn ended(component: &str, len: usize, yielded: usize) -> ! {
    panic!(
        "`spawn_columns`: the iterator of `{component}` has a `len` of {len}, and yielded {yielded} values: its \
         `ExactSizeIterator` is wrong"
    )
}

/// The value of a column for a row; `len` is the length of the column.
fn value<W: Has<T>, T: 'static>(column: &mut impl Iterator<Item = T>, row: usize, len: usize) -> T {
    column.next().unwrap_or_else(|| ended(W::COMPONENT_NAMES[W::INDEX], len, row))
}

/// A guard for slots whose components are being written. If it is dropped by a panic, the written
/// values are dropped and the slots are freed, so that no entity is spawned.
struct NewSlots<'w, W: RawWorld, D: Fn(&mut W, u32)> {
    world: &'w mut W,
    ranges: Vec<Range<u32>>,
    /// The slots that are being written.
    piece: Vec<Range<u32>>,
    /// Drops the values at a slot.
    discard: D,
}

impl<W: RawWorld, D: Fn(&mut W, u32)> NewSlots<'_, W, D> {
    /// Adds the written piece to `ranges`, and returns its number of slots.
    fn done(&mut self) -> usize {
        let mut rows = 0;
        for slots in self.piece.drain(..) {
            rows += slots.len();
            append(&mut self.ranges, slots);
        }
        rows
    }
}

impl<W: RawWorld, D: Fn(&mut W, u32)> Drop for NewSlots<'_, W, D> {
    fn drop(&mut self) {
        for slot in self.ranges.drain(..).chain(self.piece.drain(..)).flatten() {
            journal::record_despawn(self.world, self.world.__living().at(slot as usize));
            (self.discard)(self.world, slot);
            self.world.entities_mut().unspawn(slot);
        }
    }
}

/// The values that are spawned into a column.
struct ColumnSource<I: Iterator> {
    /// The values, if the iterator was that of a `Vec`.
    vec: Option<VecValues<I::Item>>,
    iterator: I,
}

/// Writes a value for each slot. `row` is the row of the first value, and `len` is the length of
/// the column, for messages. The slots are those of new entities, which do not have the component,
/// and whose allocation group includes it.
fn write<W: Has<T>, T: 'static, I: Iterator<Item = T>>(
    world: &mut W,
    ranges: &[Range<u32>],
    values: &mut ColumnSource<I>,
    row: usize,
    len: usize,
) {
    let mut row = row;
    for range in ranges {
        let mut left = range.clone();
        while !left.is_empty() {
            let run = within_page(&left, Column::<T>::WORDS);
            left.start = run.end;
            let asked = run.len();
            let written = write_run(world, run, values);
            row += written;
            if written < asked {
                ended(W::COMPONENT_NAMES[W::INDEX], len, row);
            }
        }
    }
}

/// Writes values for slots of one page, and returns the number of values.
fn write_run<W: Has<T>, T: 'static, I: Iterator<Item = T>>(
    world: &mut W,
    slots: Range<u32>,
    values: &mut ColumnSource<I>,
) -> usize {
    /// A guard that notes the values that were written, also if the iterator panics.
    struct NoteWritten<'w, W: Has<T>, T: 'static>(&'w mut W, u32, usize, PhantomData<fn() -> T>);
    impl<W: Has<T>, T: 'static> Drop for NoteWritten<'_, W, T> {
        fn drop(&mut self) {
            note_run::<W, T>(self.0, self.1, self.2);
        }
    }
    let mut guard = NoteWritten(world, slots.start, 0, PhantomData::<fn() -> T>);
    let column = guard.0.column_mut::<T>();
    if const { may_be_vec::<I>() }
        && let Some(values) = &mut values.vec
    {
        guard.2 = column.copy_run(slots.start, slots.len(), values);
    } else {
        column.write_run(slots.start, slots.len(), &mut values.iterator, &mut guard.2);
    }
    guard.2
}

/// The slow way of [`Columns::spawn`] for bundles with rules or required components: spawns one
/// entity after the other.
struct RowByRow<W, B>(PhantomData<(W, B)>);

/// Spawns the given number of entities, with the bundle that the function returns for each row.
type SpawnRows<W, B> = for<'w> fn(&'w mut W, usize, &mut dyn FnMut(usize) -> B) -> Spawned<'w>;

impl<W: RawWorld, B: Bundle<W>> RowByRow<W, B> {
    const SET: ComponentSet = B::BundleComponents::SET;
    const SPAWN: Option<SpawnRows<W, B>> =
        if B::BundleComponents::REQUIRES || B::BundleComponents::GUARDED { Some(Self::spawn) } else { None };

    fn spawn<'w>(world: &'w mut W, len: usize, row: &mut dyn FnMut(usize) -> B) -> Spawned<'w> {
        let mut made = Incomplete { world: &mut *world, entities: Vec::new() };
        for at in 0..len {
            let components = row(at).into_components();
            let entity = spawn_one(made.world, components);
            made.entities.push(entity);
        }
        let entities = core::mem::take(&mut made.entities);
        drop(made);
        let mut ranges = Vec::new();
        entities.into_iter().for_each(|entity| append(&mut ranges, entity.slot()..entity.slot() + 1));
        Spawned::new(world.__living(), ranges)
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
