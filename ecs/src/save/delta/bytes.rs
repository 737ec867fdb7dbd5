//! Numbers and sets of slots in a delta: few bytes for small numbers, for near slots, and for runs
//! of slots.
//!
//! A number has seven bits in each byte, and the eighth bit tells whether more bytes follow. A set
//! of slots, ascending, is written as the differences of successive slots, or as runs if these are
//! fewer.

use alloc::vec::Vec;
use core::ops::Range;

use crate::base::mask::{Bits, Runs};
use crate::persist::erased::FormError;

/// Appends a number.
pub(super) fn put_number(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Appends a set of slots, one bit for each.
pub(super) fn put_slots(to: &mut Vec<u8>, words: &[u64]) {
    let (mut count, mut runs, mut last) = (0_u64, 0_u64, 0);
    for &word in words {
        if word == 0 {
            last = 0;
            continue;
        }
        count += u64::from(word.count_ones());
        runs += u64::from((word & !(word << 1 | last)).count_ones());
        last = word >> 63;
    }
    let in_runs = runs * 2 < count;
    put_number(to, count << 1 | u64::from(in_runs));
    let mut next = 0;
    if in_runs {
        for (first, len) in Runs::new(words) {
            put_number(to, (first - next) as u64);
            put_number(to, len as u64 - 1);
            next = first + len;
        }
    } else {
        for slot in slots(words) {
            put_number(to, slot as u64 - next as u64);
            next = slot + 1;
        }
    }
}

/// The slots of a set, ascending.
pub(super) fn slots(words: &[u64]) -> impl Iterator<Item = usize> {
    let words = words.iter().enumerate().filter(|(_, bits)| **bits != 0);
    words.flat_map(|(word, &bits)| Bits(bits).map(move |bit| word * 64 + bit))
}

/// The unread bytes of a delta.
pub(super) struct DeltaReader<'b> {
    pub(super) rest: &'b [u8],
}

impl<'b> DeltaReader<'b> {
    pub(super) fn take(&mut self, length: usize) -> Result<&'b [u8], FormError> {
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or_else(FormError::end)?;
        self.rest = rest;
        Ok(bytes)
    }

    /// Reads a number of 64 bits.
    pub(super) fn number(&mut self) -> Result<u64, FormError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.rest.split_first().ok_or_else(FormError::end)?;
            self.rest = rest;
            let part = u64::from(byte & 0x7f);
            if part << shift >> shift != part {
                break;
            }
            number |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(FormError::text("a number of more than 64 bits"))
    }

    /// Reads a set of at most `most` slots.
    pub(super) fn slots(&mut self, most: usize) -> Result<Vec<u32>, FormError> {
        let head = self.number()?;
        let (count, in_runs) = (head >> 1, head & 1 == 1);
        if count > most as u64 {
            return Err(FormError::text(format_args!("{count} entities, where at most {most} are possible")));
        }
        let mut slots = Vec::with_capacity(count as usize);
        self.runs(count, in_runs, |run| slots.extend(run))?;
        Ok(slots)
    }

    /// Reads a set of any number of slots, and calls `f` with each run of them: a few bytes may be a
    /// set of all slots.
    pub(super) fn each_run(&mut self, f: impl FnMut(Range<u32>)) -> Result<(), FormError> {
        let head = self.number()?;
        self.runs(head >> 1, head & 1 == 1, f)
    }

    fn runs(&mut self, count: u64, in_runs: bool, mut f: impl FnMut(Range<u32>)) -> Result<(), FormError> {
        let (mut left, mut next) = (count, 0_u64);
        while left > 0 {
            let first = next.saturating_add(self.number()?);
            let len = if in_runs { self.number()?.saturating_add(1) } else { 1 };
            next = first.saturating_add(len);
            if len > left || next > u64::from(u32::MAX) {
                return Err(FormError::text(
                    "a set of entities that is longer than its length, or has too large slots",
                ));
            }
            left -= len;
            f(first as u32..next as u32);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::save::delta::component::set_bit;

    fn words(slots: impl IntoIterator<Item = u32>) -> Vec<u64> {
        let mut words = Vec::new();
        slots.into_iter().for_each(|slot| set_bit(&mut words, slot));
        words
    }

    #[test]
    fn numbers_and_sets_are_read_as_they_are_written() {
        let mut bytes = Vec::new();
        let numbers = [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, u64::from(u32::MAX), u64::MAX];
        let sets: [&[u32]; 6] = [
            &[],
            &[0],
            &[3, 4, 5, 6, 7, 8, 100],
            &[1, 3, 5, 70_000],
            &[62, 63, 64, 65, 66, 127, 128, 129],
            &[300_000, 300_001],
        ];
        numbers.iter().for_each(|&number| put_number(&mut bytes, number));
        for set in sets {
            put_slots(&mut bytes, &words(set.iter().copied()));
        }
        let mut reader = DeltaReader { rest: &bytes };
        assert_eq!(numbers.map(|_| reader.number().unwrap()), numbers);
        for slots in sets {
            assert_eq!(reader.slots(slots.len()).unwrap(), slots);
        }
        assert!(reader.rest.is_empty());
    }

    #[test]
    fn a_set_costs_a_byte_for_near_slots_and_next_to_nothing_for_runs() {
        let length = |words: &[u64]| {
            let mut bytes = Vec::new();
            put_slots(&mut bytes, words);
            bytes.len()
        };
        assert_eq!(length(&words((0..1000).map(|i| i * 100))), 2 + 1000);
        assert!(length(&words(500..100_500)) <= 9);
    }

    #[test]
    fn hostile_numbers_and_sets_are_refused() {
        let read = |bytes: &[u8]| DeltaReader { rest: bytes }.number().is_ok();
        assert!(
            !read(&[0xff; 11])
                && !read(&[0x80])
                && !read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2])
        );
        let slots = |bytes: &[u8], most| DeltaReader { rest: bytes }.slots(most).is_ok();
        assert!(!slots(&[6, 0, 0], 2) && !slots(&[6, 0], 3), "too many, too short");
        assert!(!slots(&[3, 0, 1], 9), "the run is longer than the set");
        assert!(!slots(&[2, 0xff, 0xff, 0xff, 0xff, 0x0f], 9), "a slot beyond all slots");
    }
}
