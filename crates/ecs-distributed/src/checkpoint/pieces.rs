//! The file of a worker in a checkpoint: [`Chain`] writes it, [`Index`] puts the state together
//! again.
//!
//! The state of a worker, as bytes, is cut into pieces. A file has the pieces that no earlier file
//! of its chain has, and behind them an index, which says for each piece of the state in which file
//! it is. A chain begins with a file that has all pieces.
//!
//! Values that come or go move all bytes behind them, so that cuts at fixed places would leave no
//! piece as it was. A cut is where eight bytes have a certain hash, whatever is before them: these
//! are *content-defined chunks*, as in Muthitacharoen, Chen, Mazières, "A low-bandwidth network
//! file system" (2001). Equal pieces are found by a hash of 128 bits with a random seed, XXH3.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use twox_hash::XxHash3_128;

use crate::wire::{read_bytes, read_number, write_number};

/// The shortest piece, except for the last one. Where no cut can be, none is looked for.
const SHORTEST: usize = 1 << 12;
/// The longest piece. Few changes are near each other: a short piece has fewer bytes that are
/// written again.
const LONGEST: usize = 1 << 14;
/// One place in so many is a cut.
const CUTS: u64 = 1 << 10;

/// The length of the first piece of some bytes.
fn first_piece(bytes: &[u8]) -> usize {
    let window = bytes.len().min(LONGEST + 8);
    let windows = bytes.get(SHORTEST..window).unwrap_or_default().windows(8);
    let is_cut = |eight: &[u8]| {
        let word = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
        (word ^ 0xa076_1d64_78bd_642f).wrapping_mul(0xe703_7ed1_a0b4_28db) < u64::MAX / CUTS
    };
    windows.into_iter().position(is_cut).map_or(bytes.len().min(LONGEST), |at| SHORTEST + at)
}

/// A piece of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    /// The number of the file in the chain.
    file: usize,
    /// Its place in the file.
    offset: usize,
    length: usize,
}

/// The files of a worker since a whole one, and the pieces in them.
#[derive(Debug)]
pub(crate) struct Chain {
    /// Makes it hard to find two pieces with the same hash.
    seed: u64,
    /// The ticks of the files.
    pub(crate) ticks: Vec<u64>,
    known: HashMap<u128, Piece>,
}

impl Chain {
    pub(crate) fn new() -> Self {
        // the keys of the standard library's maps are random
        let seed = RandomState::new().hash_one(0_u64);
        Self { seed, ticks: Vec::new(), known: HashMap::new() }
    }

    /// Adds the file of a tick: returns the parts of the state that it has, and its index. A chain
    /// that will have no other file is not cut.
    pub(crate) fn add(&mut self, tick: u64, state: &[u8], cuts: bool) -> (Vec<Range<usize>>, Vec<u8>) {
        let file = self.ticks.len();
        self.ticks.push(tick);
        let (mut parts, mut entries): (Vec<Range<usize>>, Vec<u8>) = (Vec::new(), Vec::new());
        let (mut at, mut offset, mut count) = (0, 0, 0);
        while at < state.len() {
            let length = if cuts { first_piece(&state[at..]) } else { state.len() };
            let range = at..at + length;
            let hash = XxHash3_128::oneshot_with_seed(self.seed, &state[range.clone()]);
            let piece = *self.known.entry(hash).or_insert_with(|| {
                // pieces that follow each other are written together
                match parts.last_mut().filter(|last| last.end == range.start) {
                    Some(last) => last.end = range.end,
                    None => parts.push(range.clone()),
                }
                offset += length;
                Piece { file, offset: offset - length, length }
            });
            for number in [piece.file, piece.offset, piece.length] {
                write_number(number as u64, &mut entries);
            }
            entries.extend(hash.to_le_bytes());
            (at, count) = (at + length, count + 1);
        }
        let mut index = Vec::with_capacity(entries.len() + 64);
        for number in [self.seed, self.ticks.len() as u64].iter().chain(&self.ticks).chain(&[count]) {
            write_number(*number, &mut index);
        }
        index.extend(entries);
        (parts, index)
    }
}

/// An index that was read.
pub(crate) struct Index {
    seed: u64,
    /// The ticks of the files.
    pub(crate) ticks: Vec<u64>,
    /// The pieces of the state, in their order, and their hashes.
    pieces: Vec<(Piece, u128)>,
}

impl Index {
    /// Reads an index; `None` if it is damaged.
    pub(crate) fn read(mut input: &[u8]) -> Option<Self> {
        let input = &mut input;
        let number = |input: &mut &[u8]| usize::try_from(read_number(input)?).ok();
        let seed = read_number(input)?;
        let ticks: Vec<u64> = (0..number(input)?).map(|_| read_number(input)).collect::<Option<_>>()?;
        let count = number(input)?;
        let piece = |_| {
            let piece = Piece { file: number(input)?, offset: number(input)?, length: number(input)? };
            let hash = u128::from_le_bytes(read_bytes(input, 16)?.try_into().ok()?);
            (piece.file < ticks.len()).then_some((piece, hash))
        };
        let pieces: Vec<(Piece, u128)> = (0..count).map(piece).collect::<Option<_>>()?;
        pieces.iter().try_fold(0_usize, |sum, (piece, _)| sum.checked_add(piece.length))?;
        input.is_empty().then_some(Self { seed, ticks, pieces })
    }

    /// Puts the state together. `file` gives the file of a tick. An error of it is returned, and
    /// otherwise the tick of a file that is damaged.
    pub(crate) fn state<E>(
        &self,
        mut file: impl FnMut(u64) -> Result<Vec<u8>, E>,
    ) -> Result<Result<Vec<u8>, u64>, E> {
        let length = self.pieces.iter().map(|(piece, _)| piece.length).sum();
        let mut state = Vec::new();
        if state.try_reserve_exact(length).is_err() {
            return Ok(Err(self.ticks.last().copied().unwrap_or(0)));
        }
        state.resize(length, 0);
        // one file after the other, so that one of them is in memory
        for (number, &tick) in self.ticks.iter().enumerate() {
            let mut at = 0;
            let mut content = None;
            for (piece, hash) in &self.pieces {
                let range = at..at + piece.length;
                at = range.end;
                if piece.file != number {
                    continue;
                }
                if content.is_none() {
                    content = Some(file(tick)?);
                }
                let content = content.as_deref().unwrap_or_default();
                let end = piece.offset.checked_add(piece.length);
                let bytes = end.and_then(|end| content.get(piece.offset..end));
                let is_right = |bytes: &&[u8]| XxHash3_128::oneshot_with_seed(self.seed, bytes) == *hash;
                match bytes.filter(is_right) {
                    Some(bytes) => state[range].copy_from_slice(bytes),
                    None => return Ok(Err(tick)),
                }
            }
        }
        Ok(Ok(state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::global_id::mix;

    /// The files of a chain, by tick.
    #[derive(Default)]
    struct Files(HashMap<u64, Vec<u8>>);

    impl Files {
        /// Adds a state, and returns the length of its file and its index.
        fn add(&mut self, chain: &mut Chain, tick: u64, state: &[u8]) -> (usize, Vec<u8>) {
            let (parts, index) = chain.add(tick, state, true);
            let file: Vec<u8> = parts.iter().flat_map(|part| &state[part.clone()]).copied().collect();
            let length = file.len() + index.len();
            self.0.insert(tick, file);
            (length, index)
        }

        fn state(&self, index: &[u8]) -> Result<Result<Vec<u8>, u64>, ()> {
            Index::read(index).expect("an index").state(|tick| self.0.get(&tick).cloned().ok_or(()))
        }
    }

    #[test]
    fn a_file_has_what_no_earlier_one_has() {
        let (mut files, mut chain) = (Files::default(), Chain::new());
        let mut random = 1;
        let mut next = |limit: usize| {
            random = mix(random + 1);
            random as usize % limit
        };
        let mut state: Vec<u8> = (0..1 << 18).map(|at: u32| mix(u64::from(at / 8)) as u8).collect();
        state.extend([0; 100_000]);
        let (whole, _) = files.add(&mut chain, 0, &state);
        assert!(whole < (1 << 18) + 50_000, "zeros are one piece, many times: {whole}");
        for tick in 1..60 {
            // bytes that change, that come, and that go
            let changes = next(4);
            for _ in 0..changes {
                let at = next(state.len());
                match next(3) {
                    0 => state[at] ^= 1,
                    1 => drop(state.splice(at..at, [7; 21])),
                    _ => drop(state.drain(at..(at + 13).min(state.len()))),
                }
            }
            let (length, index) = files.add(&mut chain, tick, &state);
            assert!(length < changes * 5 * LONGEST + 10_000, "{changes} changes: {length}");
            assert_eq!(files.state(&index), Ok(Ok(state.clone())));
        }
    }

    #[test]
    fn empty_and_short_states_come_back() {
        for length in [
            0,
            1,
            7,
            8,
            SHORTEST - 1,
            SHORTEST,
            SHORTEST + 7,
            SHORTEST + 8,
            LONGEST,
            LONGEST + 1,
            LONGEST + 9,
        ] {
            for of in [|_| 0, |at| mix(at as u64) as u8] {
                let state: Vec<u8> = (0..length).map(of).collect();
                let (mut files, mut chain) = (Files::default(), Chain::new());
                let (_, index) = files.add(&mut chain, 3, &state);
                assert_eq!(files.state(&index), Ok(Ok(state)));
            }
        }
    }

    #[test]
    fn a_damaged_file_is_named() {
        let (mut files, mut chain) = (Files::default(), Chain::new());
        let mut state: Vec<u8> = (0..100_000).map(|at| mix(at) as u8).collect();
        files.add(&mut chain, 5, &state);
        state[50_000] ^= 1;
        let (_, index) = files.add(&mut chain, 6, &state);
        for (tick, at) in [(5, 0), (5, 99_000), (6, 100)] {
            let file = files.0.get_mut(&tick).expect("a file");
            file[at] ^= 4;
            assert_eq!(files.state(&index), Ok(Err(tick)));
            files.0.get_mut(&tick).expect("a file")[at] ^= 4;
        }
        files.0.get_mut(&6).expect("a file").pop();
        assert_eq!(files.state(&index), Ok(Err(6)));
        files.0.remove(&5);
        assert_eq!(files.state(&index), Err(()));
        // a length that no memory has
        let huge = Piece { file: 0, offset: 0, length: usize::MAX / 2 };
        let absurd = Index { seed: 0, ticks: vec![5], pieces: vec![(huge, 0)] };
        assert_eq!(absurd.state(|_| Err(())), Ok(Err(5)));
        // an index that is cut off or changed is no reason for a panic
        for at in 0..index.len() {
            assert!(Index::read(&index[..at]).is_none());
            let mut other = index.clone();
            other[at] ^= 0x80;
            if let Some(index) = Index::read(&other) {
                let _ = index.ticks.len();
            }
        }
    }
}
