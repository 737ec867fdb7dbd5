//! The bytes of mirrored values: [`Values`], and the difference between two of them.
//!
//! A difference lists ids in ascending order, as distances to the id before. A value that stays is
//! not in it, and of a value that changes only the bytes that change, with one bit for each byte of
//! the value.

use bincode::Options;
use serde::de::DeserializeOwned;

/// Reads a number of up to ten bytes, seven bits in each, low bits first.
pub(crate) fn read_number(input: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = input.split_first()?;
        *input = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

pub(crate) fn write_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub(crate) fn read_bytes<'b>(input: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (bytes, rest) = input.split_at_checked(length)?;
    *input = rest;
    Some(bytes)
}

/// A message within a message, with its length.
pub(crate) fn read_part<'b>(input: &mut &'b [u8]) -> Option<&'b [u8]> {
    let length = read_number(input)?;
    read_bytes(input, usize::try_from(length).ok()?)
}

pub(crate) fn write_part(part: &[u8], out: &mut Vec<u8>) {
    write_number(part.len() as u64, out);
    out.extend_from_slice(part);
}

/// Reads a value that `bincode::serialize_into` has written. A damaged length in it cannot take more
/// memory than there is input.
pub(crate) fn read_value<T: DeserializeOwned>(input: &mut &[u8]) -> bincode::Result<T> {
    let limit = input.len() as u64;
    let options = bincode::options().with_fixint_encoding().allow_trailing_bytes();
    options.with_limit(limit).deserialize_from(input)
}

/// The bytes of values, by id.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Values {
    /// Ascending.
    ids: Vec<u64>,
    /// For each id the end of its value in `bytes`.
    ends: Vec<usize>,
    bytes: Vec<u8>,
}

impl Values {
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(crate) fn get(&self, at: usize) -> (u64, &[u8]) {
        let begin = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        (self.ids[at], &self.bytes[begin..self.ends[at]])
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &[u8])> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Adds a value that `write` writes. The id is above those before.
    pub(crate) fn push(&mut self, id: u64, write: impl FnOnce(&mut Vec<u8>)) {
        debug_assert!(self.ids.last().is_none_or(|&last| last < id));
        write(&mut self.bytes);
        self.ids.push(id);
        self.ends.push(self.bytes.len());
    }
}

const REMOVED: u64 = 0;
const WHOLE: u64 = 1;
const BYTES: u64 = 2;

/// Writes what changes from `old` to `new`. Two equal ones give one byte.
pub(crate) fn write_difference(old: &Values, new: &Values, out: &mut Vec<u8>) {
    // entries in the order of ids, each with the distance from the id before it, which is mostly
    // one byte
    let mut entries = Vec::new();
    let (mut count, mut last) = (0, 0);
    let mut entry = |id: u64, kind: u64, entries: &mut Vec<u8>| {
        count += 1;
        entries.push(kind as u8);
        write_number(id.wrapping_sub(last), entries);
        last = id;
    };
    // both lists are sorted: walk them together
    let (mut from, mut to) = (0, 0);
    while from < old.len() || to < new.len() {
        let before = (from < old.len()).then(|| old.get(from));
        let after = (to < new.len()).then(|| new.get(to));
        match (before, after) {
            (Some((gone, _)), after) if after.is_none_or(|(id, _)| gone < id) => {
                entry(gone, REMOVED, &mut entries);
                from += 1;
            }
            (Some((id, a)), Some((same, b))) if id == same => {
                // of a changed value with the same length, only the bytes that differ, after a mask
                // of eight
                if a.len() != b.len() {
                    entry(id, WHOLE, &mut entries);
                    write_part(b, &mut entries);
                } else if a != b {
                    entry(id, BYTES, &mut entries);
                    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
                        let bits = a.iter().zip(b).enumerate();
                        entries.push(bits.fold(0, |bits, (at, (a, b))| bits | u8::from(a != b) << at));
                        entries.extend(a.iter().zip(b).filter(|(a, b)| a != b).map(|(_, b)| b));
                    }
                }
                from += 1;
                to += 1;
            }
            (_, Some((id, value))) => {
                entry(id, WHOLE, &mut entries);
                write_part(value, &mut entries);
                to += 1;
            }
            (_, None) => unreachable!("an old value without a new one is removed above"),
        }
    }
    write_number(count, out);
    out.extend_from_slice(&entries);
}

/// Reads what [`write_difference`] has written, and returns the new values; `None` if the bytes are
/// damaged.
pub(crate) fn read_difference(old: &Values, input: &mut &[u8]) -> Option<Values> {
    // the same walk as in `write_difference`; no byte of the message is trusted
    let mut new = Values::default();
    let (mut from, mut last) = (0, None);
    for _ in 0..read_number(input)? {
        let (&kind, rest) = input.split_first()?;
        *input = rest;
        let distance = read_number(input)?;
        let id = last.map_or(Some(distance), |last: u64| last.checked_add(distance))?;
        // ids must rise, or the new list would not be sorted
        if last.is_some_and(|last| last >= id) {
            return None;
        }
        last = Some(id);
        // values before this id have not changed
        while from < old.len() && old.get(from).0 < id {
            let (id, value) = old.get(from);
            new.push(id, |bytes| bytes.extend_from_slice(value));
            from += 1;
        }
        let before = (from < old.len()).then(|| old.get(from)).filter(|(old, _)| *old == id);
        from += usize::from(before.is_some());
        match (u64::from(kind), before) {
            (REMOVED, Some(_)) => {}
            (WHOLE, _) => {
                let value = read_part(input)?;
                new.push(id, |bytes| bytes.extend_from_slice(value));
            }
            (BYTES, Some((_, value))) => {
                let mut value = value.to_vec();
                for chunk in value.chunks_mut(8) {
                    let (&bits, rest) = input.split_first()?;
                    *input = rest;
                    for (at, byte) in chunk.iter_mut().enumerate() {
                        if bits >> at & 1 == 1 {
                            *byte = read_bytes(input, 1)?[0];
                        }
                    }
                }
                new.push(id, |bytes| bytes.extend_from_slice(&value));
            }
            _ => return None,
        }
    }
    // nor have those after the last entry
    for at in from..old.len() {
        let (id, value) = old.get(at);
        new.push(id, |bytes| bytes.extend_from_slice(value));
    }
    Some(new)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::global_id::mix;

    /// A sequence of numbers that looks random.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mix(self.0) % limit
        }
    }

    fn values(map: &BTreeMap<u64, Vec<u8>>) -> Values {
        let mut values = Values::default();
        for (&id, value) in map {
            values.push(id, |bytes| bytes.extend_from_slice(value));
        }
        values
    }

    #[test]
    fn differences_lead_from_old_to_new() {
        let mut numbers = Numbers(1);
        for _ in 0..2000 {
            let mut map = BTreeMap::new();
            for _ in 0..numbers.below(12) {
                let id = if numbers.below(8) == 0 { u64::MAX - numbers.below(2) } else { numbers.below(20) };
                map.insert(id, (0..numbers.below(20)).map(|_| numbers.below(3) as u8).collect::<Vec<_>>());
            }
            let old = values(&map);
            map.retain(|_, _| numbers.below(4) > 0);
            for value in map.values_mut() {
                if let Some(byte) = value.first_mut().filter(|_| numbers.below(2) == 0) {
                    *byte = byte.wrapping_add(1);
                }
            }
            map.insert(numbers.below(20), vec![7; 3]);
            let new = values(&map);
            let mut bytes = Vec::new();
            write_difference(&old, &new, &mut bytes);
            let mut input = bytes.as_slice();
            assert_eq!(read_difference(&old, &mut input).as_ref(), Some(&new));
            assert!(input.is_empty());
            // damaged bytes give no panic
            for at in 0..bytes.len() {
                let _ = read_difference(&old, &mut &bytes[..at]);
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << numbers.below(8);
                let _ = read_difference(&old, &mut damaged.as_slice());
            }
        }
    }

    #[test]
    fn what_stays_takes_no_bytes() {
        let map: BTreeMap<u64, Vec<u8>> = (0..100).map(|id| (id, vec![id as u8; 40])).collect();
        let old = values(&map);
        let mut bytes = Vec::new();
        write_difference(&old, &old, &mut bytes);
        assert_eq!(bytes, [0]);
        let mut map = map;
        map.get_mut(&50).unwrap()[20] = 0;
        bytes.clear();
        write_difference(&old, &values(&map), &mut bytes);
        assert!(bytes.len() < 10, "{bytes:?}");
    }
}
