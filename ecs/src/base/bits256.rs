//! Sets of a world's resources or events, for use in constants.

/// A set of up to 256 indices: resources or events of a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits256 {
    low: u128,
    high: u128,
}

impl Bits256 {
    /// The empty set.
    pub const EMPTY: Self = Self { low: 0, high: 0 };

    /// The set with one index.
    pub const fn of(index: usize) -> Self {
        match index / 128 {
            0 => Self { low: 1 << index, high: 0 },
            1 => Self { low: 0, high: 1 << (index - 128) },
            _ => panic!("a world has at most 256 resources and 256 events"),
        }
    }

    /// The union of two sets.
    pub const fn or(self, other: Self) -> Self {
        Self { low: self.low | other.low, high: self.high | other.high }
    }

    /// The intersection of two sets.
    pub const fn and(self, other: Self) -> Self {
        Self { low: self.low & other.low, high: self.high & other.high }
    }

    /// Whether the index is in the set.
    pub const fn contains(self, index: usize) -> bool {
        let part = if index < 128 { self.low } else { self.high };
        part >> (index % 128) & 1 == 1
    }

    /// Whether the two sets have an index in common.
    pub(crate) const fn meets(&self, other: &Self) -> bool {
        (self.low & other.low) | (self.high & other.high) != 0
    }

    /// The indices modulo 128, as bits.
    pub(crate) const fn folded(self) -> u128 {
        self.low | self.high
    }
}
