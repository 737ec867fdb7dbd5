//! Iteration over the set bits of masks: 64-bit words with one bit for each slot. It is safe code
//! on plain numbers, and columns and queries build on it.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.

/// The positions of the set bits of a word, ascending.
#[derive(Clone, Copy)]
pub(crate) struct Bits(pub(crate) u64);

impl Iterator for Bits {
    type Item = usize;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// Whether the bit of a slot is set in a list of words, which may be too short for it.
pub(crate) fn has_bit(words: &[u64], slot: usize) -> bool {
    words.get(slot / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
}

/// The slots of the set bits of a list of words, ascending. It is compiled once: a chain of
/// iterators would be compiled for each caller.
#[derive(Clone)]
pub(crate) struct Slots<'m> {
    masks: &'m [u64],
    /// The index of the next word.
    word: usize,
    /// The bits of the word before `word` that were not visited yet.
    bits: Bits,
}

impl<'m> Slots<'m> {
    pub(crate) fn new(masks: &'m [u64]) -> Self {
        Self { masks, word: 0, bits: Bits(0) }
    }
}

impl Iterator for Slots<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            if let Some(bit) = self.bits.next() {
                return Some(((self.word - 1) * 64 + bit) as u32);
            }
            self.bits = Bits(*self.masks.get(self.word)?);
            self.word += 1;
        }
    }
}

/// An iterator over the longest runs of set bits in a list of words: the first bit of each run, and
/// its length.
pub(crate) struct Runs<'m> {
    masks: &'m [u64],
    /// The index of the next word.
    word: usize,
    /// The bits of the word before `word` that were not visited yet.
    bits: u64,
}

impl<'m> Runs<'m> {
    pub(crate) fn new(masks: &'m [u64]) -> Self {
        Self { masks, word: 0, bits: 0 }
    }
}

impl Iterator for Runs<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        // the next word with bits that no run has covered
        while self.bits == 0 {
            self.bits = *self.masks.get(self.word)?;
            self.word += 1;
        }
        let from = self.bits.trailing_zeros() as usize;
        let mut len = (self.bits >> from).trailing_ones() as usize;
        let start = (self.word - 1) * 64 + from;
        // a run that ends within its word
        if from + len < 64 {
            self.bits &= !range(from, from + len);
            return Some((start, len));
        }
        // a run up to the end of the word continues in the words after it
        self.bits = 0;
        while let Some(&mask) = self.masks.get(self.word) {
            let more = mask.trailing_ones() as usize;
            len += more;
            if more == 0 {
                break;
            }
            self.word += 1;
            if more < 64 {
                self.bits = mask & !range(0, more);
                break;
            }
        }
        Some((start, len))
    }
}

/// The first run of set bits: its first bit and its length; `None` without a bit.
pub(crate) fn first_run(bits: u64) -> Option<(usize, usize)> {
    let from = bits.trailing_zeros();
    (bits != 0).then(|| (from as usize, (!(bits >> from)).trailing_zeros() as usize))
}

/// A word with the bits `from..to` set; `from <= to <= 64`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn range(from: usize, to: usize) -> u64 {
    debug_assert!(from <= to && to <= 64);
    let below = |n: usize| if n == 64 { u64::MAX } else { (1 << n) - 1 };
    below(to) & !below(from)
}

/// A range of words, from `first` up to and without `end`: outside of a column's span no bit is
/// set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    pub(crate) first: u32,
    pub(crate) end: u32,
}

impl Span {
    /// The span of all words.
    pub const ALL: Self = Self { first: 0, end: u32::MAX };
    /// The empty span.
    pub const NONE: Self = Self { first: u32::MAX, end: 0 };

    /// The span of the first `words` words.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn up_to(words: usize) -> Self {
        Self { first: 0, end: words as u32 }
    }

    /// The intersection of two spans.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { first: self.first.max(other.first), end: self.end.min(other.end) }
    }

    /// The smallest span that contains both.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    pub(crate) fn or(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), end: self.end.max(other.end) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn contains(self, word: usize) -> bool {
        word < self.end as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn bits_are_listed_in_order() {
        assert_eq!(Bits(0b1001_0010).collect::<Vec<_>>(), [1, 4, 7]);
        assert_eq!(Bits(u64::MAX).count(), 64);
        assert_eq!(Bits(0).next(), None);
    }

    #[test]
    fn slots_are_listed_over_empty_words() {
        assert_eq!(Slots::new(&[0, 1 << 63 | 1, 0, 2, 0]).collect::<alloc::vec::Vec<_>>(), [64, 127, 193]);
        assert_eq!(Slots::new(&[]).next(), None);
    }

    #[test]
    fn runs_are_the_longest() {
        let runs = |masks: &[u64]| Runs::new(masks).collect::<Vec<_>>();
        assert_eq!(runs(&[]), []);
        assert_eq!(runs(&[0, 0]), []);
        assert_eq!(runs(&[0b1101, 0]), [(0, 1), (2, 2)]);
        assert_eq!(runs(&[u64::MAX, u64::MAX, 0, 1]), [(0, 128), (192, 1)]);
        assert_eq!(runs(&[u64::MAX; 3]), [(0, 192)]);
        assert_eq!(runs(&[1 << 63 | 1, 0b101, 0]), [(0, 1), (63, 2), (66, 1)]);
        assert_eq!(runs(&[1 << 63, 0, u64::MAX]), [(63, 1), (128, 64)]);
    }

    #[test]
    fn ranges_cover_exactly_their_slots() {
        assert_eq!(range(0, 64), u64::MAX);
        assert_eq!(range(0, 0), 0);
        assert_eq!(range(64, 64), 0);
        assert_eq!(range(3, 5), 0b11000);
        assert_eq!(range(63, 64), 1 << 63);
    }
}
