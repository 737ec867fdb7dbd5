//! Writing a column whose values are numbers and nothing else: their bytes are copied from memory,
//! in the same chunks as other values.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{CHUNK, LONGEST, PutBytes, is_read};
use crate::base::plain::NumberFields;
use crate::component::IsComponent;
use crate::persist::compact::plain::is_as_in_memory;
use crate::persist::compact::start::window;
use crate::persist::erased::FormError;
use crate::storage::column::Column;
use crate::storage::copy::{PlainValue, plain_bytes};

/// The number of values of this size in a chunk, if as many values follow: the same number as in
/// chunks of values that are serialized.
const fn values_in_chunk(size: usize) -> usize {
    let room = CHUNK - 4;
    match window(size) {
        // a tag has no bytes to copy
        _ if size == 0 => 0,
        // a value is written as long as its window fits
        Some(window) => (room - window) / size + 1,
        None if size > room => 1,
        None => room / size,
    }
}

/// The values of a column that follow a position, run by run.
struct Values<'c, T, R> {
    runs: R,
    /// The slot of the first value in `run`.
    slot: usize,
    /// The rest of the current run.
    run: &'c [T],
}

// a derive would ask for `T: Clone`
impl<T, R: Clone> Clone for Values<'_, T, R> {
    fn clone(&self) -> Self {
        Self { runs: self.runs.clone(), slot: self.slot, run: self.run }
    }
}

impl<'c, T, R: Iterator<Item = (usize, &'c [T])>> Values<'c, T, R> {
    /// The rest of the current run, or the next run, with the slot of its first value.
    #[inline]
    fn peek(&mut self) -> Option<(usize, &'c [T])> {
        if self.run.is_empty() {
            (self.slot, self.run) = self.runs.next()?;
        }
        Some((self.slot, self.run))
    }

    /// Returns the next values, at most `most` and not more than those of a run, with the slot of
    /// the first one.
    #[inline]
    fn next(&mut self, most: usize) -> Option<(usize, &'c [T])> {
        let (slot, run) = self.peek()?;
        let (now, rest) = run.split_at(most.min(run.len()));
        (self.slot, self.run) = (slot + now.len(), rest);
        Some((slot, now))
    }
}

/// Lists the numbers of a value. The function that lists them is a constant and no variable, so
/// that the optimizer sees which one is called.
#[inline(always)]
fn list<'v, T: IsComponent>(value: &'v T, fields: &mut NumberFields<'v>) {
    if let Some(list) = const { T::__NUMBERS } {
        list(value, fields);
    }
}

/// Writes the values of the slots in `words`, in chunks, up to the first chunk with a value whose
/// compact form is not its bytes in memory. Returns the slot of that chunk's first value; `None` if
/// all values are written. An error gives the slot.
pub(in crate::save) fn write<T: IsComponent + Serialize + DeserializeOwned>(
    column: &Column<T>,
    words: &[u64],
    put: &mut PutBytes<'_>,
) -> Result<Option<usize>, (Option<usize>, FormError)> {
    if cfg!(target_endian = "big") || size_of::<T>() == 0 || size_of::<T>() > LONGEST {
        return Ok(Some(0));
    }
    let are_as_in_memory = |values: &[T]| {
        values.iter().all(|value| PlainValue::of(value, list::<T>).is_some_and(is_as_in_memory))
    };
    let mut left = column.count_among(words);
    let mut values = Values { runs: column.runs_among(words), slot: 0, run: &[] };
    let mut is_first = true;
    while left > 0 {
        let chunk = left.min(const { values_in_chunk(size_of::<T>()) });
        let Some((start, first)) = values.peek() else { break };
        // compared chunk by chunk, so that the values are still in the cache when they are copied
        if first.len() >= chunk {
            if !are_as_in_memory(&first[..chunk]) {
                return Ok(Some(start));
            }
        } else {
            let (mut ahead, mut unseen) = (values.clone(), chunk);
            while let Some((_, now)) = ahead.next(unseen).filter(|(_, now)| !now.is_empty()) {
                if !are_as_in_memory(now) {
                    return Ok(Some(start));
                }
                unseen -= now.len();
            }
        }
        let fail = |fault| (Some(start), fault);
        if core::mem::take(&mut is_first)
            && let Some(bytes) = plain_bytes(&first[..1], list::<T>)
        {
            is_read::<T>(bytes).map_err(fail)?;
        }
        put(&((chunk * size_of::<T>()) as u32).to_le_bytes())
            .map_err(|error| fail(FormError::text(error)))?;
        let mut unwritten = chunk;
        while unwritten > 0 {
            let Some((_, now)) = values.next(unwritten) else { break };
            let Some(bytes) = plain_bytes(now, list::<T>) else {
                return Err(fail(FormError::text(
                    "the derive of the component lists other numbers each time",
                )));
            };
            put(bytes).map_err(|error| fail(FormError::text(error)))?;
            unwritten -= now.len();
        }
        left -= chunk;
    }
    Ok(None)
}
