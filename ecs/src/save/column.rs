//! The values of a column in the compact form: chunks of whole values, each preceded by its length.
//!
//! Columns are written and read by functions that do not know the type of their values, but its
//! description.
#![expect(unsafe_code, reason = "values are accessed by address, and their type is known by its description")]

pub(super) mod plain;

use alloc::vec::Vec;
use core::cell::Cell;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::mask::range;
use crate::base::page::Shape;
use crate::persist::compact::read::{EMPTY, EMPTY_FOR_A_BYTE, MapId, Reader, from_bytes};
use crate::persist::compact::start::{Start, window};
use crate::persist::compact::write::{Window, Writer, to_vec};
use crate::persist::erased::FormError;
use crate::persist::memory;
use crate::save::layout::is_certain;
use crate::storage::erased_column::ErasedColumn;
use crate::value::description::ValueType;
use crate::value::plan::ValuePlan;

/// The function to which finished chunks are passed.
pub(super) type PutBytes<'p> = dyn FnMut(&[u8]) -> Result<(), std::io::Error> + 'p;

/// The largest length of a chunk of small values, in bytes.
const CHUNK: usize = 1 << 14;

/// The largest length of a chunk that has a single value, in bytes.
const LONGEST: usize = u32::MAX as usize;

/// The type of a column's values.
///
/// # Invariant
/// Both are of the same type. A function of a column that gets a `ColumnType` gets that of the
/// column.
#[derive(Clone, Copy)]
pub(crate) struct ColumnType<'p> {
    value: &'static ValueType,
    /// The plan of a described type.
    plan: Option<&'p ValuePlan>,
    shape: &'static Shape,
    /// Tells whether each value that was written can be read, if serde reads the values.
    is_certain: Option<fn() -> bool>,
}

impl<'p> ColumnType<'p> {
    /// # Safety
    /// The description, the plan and the shape are those of one type.
    pub(crate) const unsafe fn new(
        value: &'static ValueType,
        plan: Option<&'p ValuePlan>,
        shape: &'static Shape,
        is_certain: Option<fn() -> bool>,
    ) -> Self {
        Self { value, plan, shape, is_certain }
    }

    /// Whether each value that was written can be read.
    pub(super) fn is_certain(&self) -> bool {
        self.is_certain.map_or_else(|| self.value.is_certain(), |is_certain| is_certain())
    }
}

/// The buffer in which chunks are put together. All columns use it, one after the other.
#[derive(Default)]
pub(crate) struct Scratch(Vec<u8>);

std::thread_local! {
    /// The buffer of the thread's last save.
    static SCRATCH: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The buffer of a thread, so that saves after the first neither allocate nor clear it. A save
/// within a save has a buffer of its own.
pub(super) struct ThreadScratch(pub(super) Scratch);

impl ThreadScratch {
    pub(super) fn take() -> Self {
        Self(Scratch(SCRATCH.try_with(Cell::take).unwrap_or_default()))
    }
}

impl Drop for ThreadScratch {
    fn drop(&mut self) {
        let bytes = core::mem::take(&mut self.0.0);
        // at the end of the thread, the buffer is dropped
        let _ = SCRATCH.try_with(|scratch| scratch.set(bytes));
    }
}

/// A chunk while it is written.
struct Buffer<'b, 'p> {
    bytes: &'b mut [u8],
    len: usize,
    /// The number of bytes that are reserved for the length of the chunk: 4, or 0 if chunks have no
    /// length.
    head: usize,
    put: &'b mut PutBytes<'p>,
}

impl Buffer<'_, '_> {
    fn flush(&mut self) -> Result<(), FormError> {
        if self.len > self.head {
            let length = ((self.len - self.head) as u32).to_le_bytes();
            self.bytes[..self.head].copy_from_slice(&length[..self.head]);
            (self.put)(&self.bytes[..self.len]).map_err(FormError::text)?;
            self.len = self.head;
        }
        Ok(())
    }

    /// Copies the bytes of adjacent values of numbers, and returns how many values were copied: as
    /// many as fit into this chunk.
    fn plain(&mut self, values: &[u8], size: usize) -> Result<usize, FormError> {
        let window = window(size).unwrap_or(size);
        if self.bytes.len() - self.len < window {
            self.flush()?;
        }
        let room = (self.bytes.len() - self.len).saturating_sub(window);
        let count = (room / size + 1).min(values.len() / size);
        let bytes = &values[..count * size];
        match self.bytes.get_mut(self.len..self.len + bytes.len()) {
            Some(place) => {
                place.copy_from_slice(bytes);
                self.len += bytes.len();
            }
            None => self.large(bytes)?,
        }
        Ok(count)
    }

    /// Writes adjacent values: as many as fit into this chunk by code that is compiled for their
    /// type, or the first one. Returns their number.
    ///
    /// # Safety
    /// The address is that of `count` values of the type, which is not 0.
    unsafe fn values(
        &mut self,
        of: ColumnType<'_>,
        values: *const u8,
        count: usize,
        long: &mut Vec<u8>,
    ) -> Result<usize, FormError> {
        if let Some(window) = window(of.shape.size) {
            if self.bytes.len() - self.len < window {
                self.flush()?;
            }
            // SAFETY: the contract of this function.
            let (done, length) = unsafe { of.value.write_small(values, count, &mut self.bytes[self.len..]) };
            self.len += length;
            if done > 0 {
                return Ok(done);
            }
        }
        long.clear();
        let mut writer = Writer::new(core::mem::take(long));
        // SAFETY: the contract of this function.
        unsafe {
            match of.plan {
                Some(plan) => plan.write(values, &mut writer),
                None => of.value.write(values, &mut writer),
            }
        }?;
        *long = writer.sink;
        self.large(long)?;
        Ok(1)
    }

    /// Writes the bytes of a value.
    fn large(&mut self, bytes: &[u8]) -> Result<(), FormError> {
        if self.len + bytes.len() > self.bytes.len() {
            self.flush()?;
        }
        if let Some(place) = self.bytes.get_mut(self.len..self.len + bytes.len()) {
            place.copy_from_slice(bytes);
            self.len += bytes.len();
            return Ok(());
        }
        if bytes.len() > LONGEST {
            return Err(FormError::text("a value of more than 4294967295 bytes"));
        }
        (self.put)(&(bytes.len() as u32).to_le_bytes()[..self.head]).map_err(FormError::text)?;
        (self.put)(bytes).map_err(FormError::text)
    }
}

/// Writes the values of the slots in `words`, in chunks. An error gives the slot.
pub(super) fn write(
    column: &ErasedColumn,
    of: ColumnType<'_>,
    words: &[u64],
    scratch: &mut Scratch,
    put: &mut PutBytes<'_>,
) -> Result<(), (Option<usize>, FormError)> {
    scratch.0.resize(CHUNK, 0);
    write_values(column, of, words, Buffer { bytes: &mut scratch.0, len: 4, head: 4, put })?;
    put(&0u32.to_le_bytes()).map_err(|error| (None, FormError::text(error)))
}

/// Appends the values of the slots in `words`, without lengths. An error gives the slot.
pub(super) fn append(
    column: &ErasedColumn,
    of: ColumnType<'_>,
    words: &[u64],
    scratch: &mut Scratch,
    to: &mut Vec<u8>,
) -> Result<(), (Option<usize>, FormError)> {
    scratch.0.resize(CHUNK, 0);
    let mut put = |bytes: &[u8]| {
        to.extend_from_slice(bytes);
        Ok(())
    };
    write_values(column, of, words, Buffer { bytes: &mut scratch.0, len: 0, head: 0, put: &mut put })
}

fn write_values(
    column: &ErasedColumn,
    of: ColumnType<'_>,
    words: &[u64],
    mut buffer: Buffer<'_, '_>,
) -> Result<(), (Option<usize>, FormError)> {
    let (is_plain, size) = (of.value.is_plain() && of.shape.size > 0, of.shape.size);
    // the first value that serde writes is read back in any case, the others if the type may refuse
    // one
    let (mut is_first, mut reads_back, mut long) = (of.value.is_by_serde(), None, Vec::new());
    for (word, &among) in words.iter().enumerate() {
        let mut left = column.word(word) & among;
        while left != 0 {
            let from = left.trailing_zeros() as usize;
            let len = (!(left >> from)).trailing_zeros() as usize;
            left &= !range(from, from + len);
            let slot = word * 64 + from;
            // SAFETY: the shape is that of the values.
            let Some(first) = (unsafe { column.value(slot as u32, of.shape) }) else { continue };
            if is_plain {
                // SAFETY: the values of a run lie side by side, and all their bytes are those of
                // numbers.
                let mut values = unsafe { core::slice::from_raw_parts(first, len * size) };
                while !values.is_empty() {
                    let count = buffer.plain(values, size).map_err(|fault| (Some(slot), fault))?;
                    values = &values[count * size..];
                }
                continue;
            }
            let mut checked = usize::from(core::mem::take(&mut is_first));
            if len > checked && *reads_back.get_or_insert_with(|| !of.is_certain()) {
                checked = len;
            }
            for at in 0..checked {
                // SAFETY: the address is that of a value of the type.
                let read = unsafe { of.value.is_read_as_written(first.add(at * size)) };
                read.map_err(|fault| (Some(slot + at), fault))?;
            }
            let mut at = 0;
            while at < len {
                // SAFETY: the values of a run lie side by side.
                let written = unsafe { buffer.values(of, first.add(at * size), len - at, &mut long) };
                at += written.map_err(|fault| (Some(slot + at), fault))?;
            }
        }
    }
    buffer.flush().map_err(|fault| (None, fault))
}

/// Writes a value into a window, and returns the number of bytes; `None` if it does not fit or
/// cannot be serialized.
#[inline(always)]
fn written<const N: usize, T: Serialize>(value: &T, window: &mut [u8; N]) -> Option<usize> {
    value.serialize(Start::new(window)).ok().filter(|written| *written <= Window::<N>::ROOM)
}

/// The buffers in which the compact forms of two values are compared. Made once for many values,
/// because clearing them takes longer than a comparison.
pub(super) struct Windows {
    small: [[u8; 32 + 16]; 2],
    large: [[u8; 128 + 16]; 2],
}

impl Windows {
    pub(super) const fn new() -> Self {
        Self { small: [[0; _]; 2], large: [[0; _]; 2] }
    }
}

/// Compares values pair by pair, at most 64 pairs. The result has a bit for each pair whose compact
/// forms differ. An error gives the pair.
#[inline(always)]
pub(super) fn differing<T: Serialize>(
    old: &[T],
    new: &[T],
    windows: &mut Windows,
) -> Result<u64, (usize, FormError)> {
    match const { size_of::<T>() } {
        0..=16 => differing_in(old, new, &mut windows.small),
        17..=64 => differing_in(old, new, &mut windows.large),
        _ => each_pair(old, new, differ),
    }
}

#[inline(always)]
fn differing_in<const N: usize, T: Serialize>(
    old: &[T],
    new: &[T],
    [first, second]: &mut [[u8; N]; 2],
) -> Result<u64, (usize, FormError)> {
    each_pair(old, new, |old, new| match (written(old, first), written(new, second)) {
        (Some(old), Some(new)) => Ok(first[..old] != second[..new]),
        // a value does not fit, or cannot be serialized
        _ => differ(old, new),
    })
}

#[inline(always)]
pub(super) fn each_pair<T>(
    old: &[T],
    new: &[T],
    mut differ: impl FnMut(&T, &T) -> Result<bool, FormError>,
) -> Result<u64, (usize, FormError)> {
    let mut found = 0;
    for (at, (old, new)) in old.iter().zip(new).enumerate() {
        found |= u64::from(differ(old, new).map_err(|fault| (at, fault))?) << at;
    }
    Ok(found)
}

/// Whether the compact forms of two values differ.
#[inline(never)]
pub(super) fn differ<T: Serialize>(one: &T, two: &T) -> Result<bool, FormError> {
    Ok(to_vec(one)? != to_vec(two)?)
}

/// The largest value outside of a column that is read back even if its type is certain, in bytes.
const CHEAP: usize = 1 << 12;

/// Checks that a value of type `R`, which contains values of type `T` and is not in a column, can
/// be read: always if it is short, and otherwise if `T` may refuse a value.
pub(super) fn check<T: DeserializeOwned + 'static, R: DeserializeOwned>(
    bytes: &[u8],
) -> Result<(), FormError> {
    if bytes.len() <= CHEAP || !is_certain::<T>() { is_read::<R>(bytes) } else { Ok(()) }
}

/// Checks that `Deserialize` reads all bytes of a value in the compact form.
fn is_read<T: DeserializeOwned>(bytes: &[u8]) -> Result<(), FormError> {
    from_bytes::<T>(bytes).map(drop).map_err(|fault| {
        FormError::text(format_args!("`Deserialize` cannot read the output of `Serialize`: {fault}"))
    })
}

/// A reader of the chunks of a column.
pub(crate) struct ValueChunks<'f> {
    rest: &'f [u8],
    /// The unread bytes of the current chunk.
    chunk: &'f [u8],
    /// The memory, in bytes, that elements without bytes in the file may still take.
    empty: u64,
}

impl<'f> ValueChunks<'f> {
    pub(crate) fn new(rest: &'f [u8]) -> Self {
        Self { rest, chunk: &[], empty: EMPTY }
    }

    /// Returns the bytes after the last chunk. Returns an error if not all values were read.
    pub(crate) fn end(mut self) -> Result<&'f [u8], FormError> {
        if !self.chunk.is_empty() {
            return Err(FormError::text("there are more values than entities that have one"));
        }
        match self.next()? {
            [] => Ok(self.rest),
            _ => Err(FormError::text("there are more values than entities that have one")),
        }
    }

    fn next(&mut self) -> Result<&'f [u8], FormError> {
        let (length, rest) = self.rest.split_first_chunk().ok_or_else(FormError::end)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (chunk, rest) = rest.split_at_checked(length).ok_or_else(|| {
            FormError::text(format_args!(
                "expected a chunk of {length} bytes, but only {} remain",
                rest.len()
            ))
        })?;
        self.rest = rest;
        self.empty += EMPTY_FOR_A_BYTE * length as u64;
        Ok(chunk)
    }
}

/// A run of slots whose first `len` values were written.
///
/// # Invariant
/// They were written to the address that `reserve` returned for the run.
pub(super) struct WrittenRun<'c> {
    pub(super) column: &'c mut ErasedColumn,
    pub(super) slot: u32,
    pub(super) len: usize,
}

impl Drop for WrittenRun<'_> {
    fn drop(&mut self) {
        // SAFETY: the invariant.
        unsafe { self.column.set_written(self.slot, self.len) };
    }
}

/// Reads values for the slots in `words`, which must have no value. An error gives the slot.
///
/// # Safety
/// `value` writes a value of the column's type to the address that it gets, unless it returns an
/// error.
pub(super) unsafe fn read(
    column: &mut ErasedColumn,
    of: ColumnType<'_>,
    words: &[u64],
    chunks: &mut ValueChunks<'_>,
    map: Option<MapId<'_>>,
    mut value: impl FnMut(&mut Reader<'_, '_>, *mut u8) -> Result<(), FormError>,
) -> Result<(), (u32, FormError)> {
    for (word, &bits) in words.iter().enumerate() {
        let mut left = bits;
        while left != 0 {
            let from = left.trailing_zeros();
            let len = (!(left >> from)).trailing_zeros();
            let slot = (word * 64) as u32 + from;
            memory::charge_growth(column.growth(slot, len as usize, of.shape))
                .map_err(|error| (slot, FormError::text(error)))?;
            // SAFETY: the shape is that of the values. The slots have no values: else they would be
            // leaked.
            let mut to = unsafe { column.reserve(slot, len as usize, of.shape) };
            // counts the values that were written as soon as it is dropped, also after an error or
            // a panic
            let mut written = WrittenRun { column: &mut *column, slot, len: 0 };
            for at in 0..len {
                let read = one(chunks, map, &mut |reader| value(reader, to));
                read.map_err(|fault| (slot + at, fault))?;
                written.len += 1;
                // SAFETY: the values of a run lie side by side.
                to = unsafe { to.add(of.shape.size) };
            }
            drop(written);
            left &= !range(from as usize, (from + len) as usize);
        }
    }
    Ok(())
}

/// Reads the next value.
#[inline(always)]
pub(super) fn one<T>(
    chunks: &mut ValueChunks<'_>,
    map: Option<MapId<'_>>,
    value: &mut impl FnMut(&mut Reader<'_, '_>) -> Result<T, FormError>,
) -> Result<T, FormError> {
    // values without bytes are in no chunk, so the next chunk may be the empty one at the end
    if chunks.chunk.is_empty() && chunks.rest.first_chunk() != Some(&[0; 4]) {
        chunks.chunk = chunks.next()?;
    }
    let mut reader = Reader::of_part(chunks.chunk, chunks.empty, map);
    let read = value(&mut reader)?;
    (chunks.chunk, chunks.empty) = (reader.input, reader.empty);
    Ok(read)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use serde::{Deserialize, Serializer, ser};

    use super::*;
    use crate::storage::column::Column;
    use crate::value::description::{BySerde, column_by_serde};

    /// The bits of the first `count` slots.
    fn words(count: usize) -> Vec<u64> {
        (0..count.div_ceil(64)).map(|word| range(0, (count - word * 64).min(64))).collect()
    }

    /// The type of a column of values that serde writes and reads.
    fn of_serde<T: BySerde>() -> ColumnType<'static> {
        let value = const { &column_by_serde::<T>() };
        // SAFETY: all are those of `T`.
        unsafe { ColumnType::new(value, None, const { &Column::<T>::SHAPE }, Some(is_certain::<T>)) }
    }

    fn column<T>(values: impl IntoIterator<Item = T>) -> (Column<T>, Vec<u64>) {
        let mut column = Column::new();
        let slots = (0..).zip(values).map(|(slot, value)| drop(column.insert(slot, value))).count();
        (column, words(slots))
    }

    /// The lengths of the chunks, and all bytes.
    fn written<T: BySerde>(
        (column, words): &(Column<T>, Vec<u64>),
    ) -> Result<(Vec<usize>, Vec<u8>), Option<usize>> {
        let mut bytes = Vec::new();
        let result =
            write(&column.erased, of_serde::<T>(), words, &mut Scratch::default(), &mut |more: &[u8]| {
                bytes.extend_from_slice(more);
                Ok(())
            });
        result.map_err(|(slot, _)| slot)?;
        let (mut lengths, mut rest) = (Vec::new(), &*bytes);
        while let Some((length, after)) = rest.split_first_chunk() {
            let length = u32::from_le_bytes(*length) as usize;
            lengths.push(length);
            rest = &after[length..];
        }
        Ok((lengths, bytes))
    }

    fn read_again<T: BySerde>(bytes: &[u8], words: &[u64]) -> Result<Column<T>, (u32, FormError)> {
        let (mut column, mut chunks) = (Column::<T>::new(), ValueChunks::new(bytes));
        let of = of_serde::<T>();
        // SAFETY: the description is that of `T`.
        unsafe {
            let erased = &mut column.erased;
            read(erased, of, words, &mut chunks, None, |reader, to| of.value.read(reader, to))?;
        }
        assert!(chunks.end().unwrap().is_empty(), "all bytes are read");
        Ok(column)
    }

    #[test]
    fn small_values_fill_chunks_up_to_the_last_window() {
        let numbers = column(0..5000_u64);
        let (lengths, bytes) = written(&numbers).unwrap();
        // a chunk ends when less than 48 bytes of 16 KiB remain: the size of the window for a value
        // of up to 16 bytes
        let full = (CHUNK - 4 - 48) / 8 * 8 + 8;
        assert_eq!(lengths, [full, full, 5000 * 8 - 2 * full, 0]);
        let again = read_again::<u64>(&bytes, &numbers.1).unwrap();
        assert!((0..5000).all(|slot| again.get(slot) == Some(&u64::from(slot))));
    }

    /// A value of more than 256 bytes in memory, with any number of bytes in the file.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Blob {
        bytes: Vec<u8>,
        #[serde(skip)]
        memory: [[u64; 8]; 8],
    }

    fn blob(length: usize) -> Blob {
        Blob { bytes: vec![length as u8; length - 4], memory: Default::default() }
    }

    #[test]
    fn large_values_are_in_one_chunk_as_long_as_they_fit() {
        let room = CHUNK - 4;
        let sizes = [4, room - 4, 100, room - 99, 7, 2 * CHUNK, 8, room, 4];
        let blobs = column(sizes.map(blob));
        let (lengths, bytes) = written(&blobs).unwrap();
        assert_eq!(lengths, [room, 100, room - 99 + 7, 2 * CHUNK, 8, room, 4, 0]);
        let again = read_again::<Blob>(&bytes, &blobs.1).unwrap();
        assert!(sizes.iter().zip(0..).all(|(&size, slot)| again.get(slot) == Some(&blob(size))));
    }

    #[test]
    fn values_that_do_not_fit_into_their_window_keep_their_place() {
        let texts = || (0..300_usize).map(|n| "x".repeat(n * 37 % 700));
        let column = column(texts());
        let (lengths, bytes) = written(&column).unwrap();
        assert!(lengths.iter().all(|&length| length <= CHUNK));
        let again = read_again::<alloc::string::String>(&bytes, &column.1).unwrap();
        assert!(texts().zip(0..).all(|(text, slot)| again.get(slot) == Some(&text)));
    }

    /// A number that is not serialized if it is 13.
    #[derive(Deserialize)]
    struct NotThirteen<T>(u64, T);
    impl<T> Serialize for NotThirteen<T>
    where
        T: Serialize,
    {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self.0 {
                13 => Err(ser::Error::custom("thirteen")),
                number => (number, &self.1).serialize(serializer),
            }
        }
    }

    #[test]
    fn an_error_names_the_slot_of_the_value() {
        for at in [0, 5, 66, 2041, 2042, 2045, 2100] {
            let number = |slot| if slot == at { 13 } else { 0 };
            let small = column((0..3000).map(|slot| NotThirteen(number(slot), ())));
            assert_eq!(written(&small), Err(Some(at)));
            let large = column((0..at + 3).map(|slot| NotThirteen(number(slot), [[0_u64; 10]; 4])));
            assert_eq!(written(&large), Err(Some(at)));
        }
    }

    #[test]
    fn elements_without_bytes_are_bounded_by_the_bytes_of_their_chunks() {
        // two values, each in a chunk of its own
        let file = |counts: [u64; 2]| {
            let chunk = |count: u64| [4_u32.to_le_bytes(), (count as u32).to_le_bytes()].concat();
            [chunk(counts[0]), chunk(counts[1]), vec![0; 4]].concat()
        };
        let most = EMPTY + 2 * 4 * EMPTY_FOR_A_BYTE;
        let read = |counts| read_again::<Vec<()>>(&file(counts), &[0b11]).map(|column| column.len());
        assert_eq!(read([1000, most - 1000]).unwrap(), 2);
        assert_eq!(read([1000, most - 999]).unwrap_err().0, 1);
        assert_eq!(read([most, 0]).unwrap_err().0, 0, "the second chunk is not read yet");
    }
}
