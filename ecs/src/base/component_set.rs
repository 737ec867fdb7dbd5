//! Sets of a world's components, for use in constants.

use crate::base::mask::Bits;

/// The most components that a world can have.
pub(crate) const MAX_COMPONENTS: usize = 512;

/// A set of components of one world, by index.
///
/// The operations on the four parts are written out instead of loops, because constants of large
/// worlds then evaluate five times faster. The parts are one array, because rustc checks an array
/// of integers as one piece when it evaluates a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComponentSet([u128; 4]);

/// A set of components as the 64-bit words that run-time code works with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Words(pub(crate) [u64; MAX_COMPONENTS / 64]);

impl Words {
    pub(crate) const EMPTY: Self = Self([0; MAX_COMPONENTS / 64]);
}

/// A set of components that entities are spawned with, with the hash by which the allocator finds
/// its allocation group.
#[derive(Clone, Copy)]
pub(crate) struct SpawnSet {
    pub(crate) components: Words,
    /// The number of words that can have bits in this world.
    pub(crate) words: usize,
    pub(crate) hash: usize,
}

impl SpawnSet {
    /// The set `components`, known only at run time, of a world whose sets have `words` words.
    pub(crate) fn of(components: Words, words: usize) -> Self {
        let pairs = [0, 1, 2, 3]
            .map(|at| u128::from(components.0[at * 2]) | u128::from(components.0[at * 2 + 1]) << 64);
        let [a, b, c, d] = pairs;
        Self { components, words, hash: ComponentSet([a, b, c, d]).hash() }
    }
}

impl ComponentSet {
    /// The empty set.
    pub const EMPTY: Self = Self([0; 4]);
    /// The set of all components.
    pub const ALL: Self = Self([!0; 4]);

    /// The set with the component of this index added.
    pub const fn with(mut self, index: usize) -> Self {
        let bit = 1u128 << (index % 128);
        match index / 128 {
            part @ 0..4 => self.0[part] |= bit,
            _ => panic!("a world has at most 512 components"),
        }
        self
    }

    /// The union of two sets.
    pub const fn or(self, other: Self) -> Self {
        let (Self([a, b, c, d]), Self([e, f, g, h])) = (self, other);
        Self([a | e, b | f, c | g, d | h])
    }

    /// The intersection of two sets.
    pub const fn and(self, other: Self) -> Self {
        let (Self([a, b, c, d]), Self([e, f, g, h])) = (self, other);
        Self([a & e, b & f, c & g, d & h])
    }

    /// The components in `self` that are not in `other`.
    pub const fn minus(self, other: Self) -> Self {
        let (Self([a, b, c, d]), Self([e, f, g, h])) = (self, other);
        Self([a & !e, b & !f, c & !g, d & !h])
    }

    /// Whether the two sets have a component in common. Calls no other function, because rustc
    /// evaluates it for each pair of systems.
    pub(crate) const fn meets(&self, other: &Self) -> bool {
        let (a, b) = (&self.0, &other.0);
        (a[0] & b[0]) | (a[1] & b[1]) | (a[2] & b[2]) | (a[3] & b[3]) != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.folded() == 0
    }

    /// The indices modulo 128, as bits.
    pub(crate) const fn folded(self) -> u128 {
        let Self([a, b, c, d]) = self;
        a | b | c | d
    }

    /// Whether the component of this index is in the set.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn contains(self, index: usize) -> bool {
        let part = if index < MAX_COMPONENTS { self.0[index / 128] } else { 0 };
        part >> (index % 128) & 1 == 1
    }

    /// The number of components in the set.
    pub const fn len(self) -> usize {
        let Self([a, b, c, d]) = self;
        (a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()) as usize
    }

    /// The lowest index in the set.
    pub const fn first(self) -> Option<usize> {
        let Self([a, b, c, d]) = self;
        if a != 0 {
            Some(a.trailing_zeros() as usize)
        } else if b != 0 {
            Some(128 + b.trailing_zeros() as usize)
        } else if c != 0 {
            Some(256 + c.trailing_zeros() as usize)
        } else if d != 0 {
            Some(384 + d.trailing_zeros() as usize)
        } else {
            None
        }
    }

    /// The indices in the set, ascending.
    pub(crate) fn indices(self) -> impl Iterator<Item = usize> {
        self.words()
            .0
            .into_iter()
            .enumerate()
            .flat_map(|(word, bits)| Bits(bits).map(move |bit| word * 64 + bit))
    }

    /// The set as 64-bit words.
    pub(crate) const fn words(self) -> Words {
        let Self([a, b, c, d]) = self;
        Words([
            a as u64,
            (a >> 64) as u64,
            b as u64,
            (b >> 64) as u64,
            c as u64,
            (c >> 64) as u64,
            d as u64,
            (d >> 64) as u64,
        ])
    }

    /// The number of 64-bit words for a set in a world with this many components.
    pub(crate) const fn words_for(components: usize) -> usize {
        if components == 0 { 1 } else { components.div_ceil(64) }
    }

    /// The set as entities of a world with `components` components are spawned with it.
    pub(crate) const fn spawn_set(self, components: usize) -> SpawnSet {
        SpawnSet { components: self.words(), words: Self::words_for(components), hash: self.hash() }
    }

    /// The hash by which the allocator finds the set's allocation group.
    const fn hash(self) -> usize {
        let Words(words) = self.words();
        let (mut hash, mut i) = (0u64, 0);
        while i < words.len() {
            hash = (hash.rotate_left(5) ^ words[i]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            i += 1;
        }
        (hash >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_has_its_bit() {
        for index in 0..MAX_COMPONENTS {
            let set = ComponentSet::EMPTY.with(index);
            assert_eq!((set.len(), set.first(), set.contains(index)), (1, Some(index), true));
            let Words(words) = set.words();
            assert_eq!(words[index / 64], 1 << (index % 64));
            assert!(ComponentSet::ALL.minus(set).and(set).is_empty());
        }
    }
}
