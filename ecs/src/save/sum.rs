//! The checksum of a file and the hash of a world: fast, the same on every machine, and not secure
//! against forgery.
//!
//! Four lanes of sixteen bytes each are folded by a multiplication of 128 bits, as wyhash does.

const KEYS: [u64; LANES] =
    [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3];

const LANES: usize = 4;

/// The number of bytes that are hashed in one step.
const STRIPE: usize = 16 * LANES;

/// The checksum of the bytes added so far. It does not depend on how the bytes were divided into
/// calls of `add`.
#[derive(Clone)]
pub(crate) struct Checksum {
    lanes: [u64; LANES],
    rest: [u8; STRIPE],
    kept: usize,
    length: u64,
}

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[inline(always)]
fn stripe(lanes: &mut [u64; LANES], bytes: &[u8; STRIPE]) {
    let (words, _) = bytes.as_chunks::<8>();
    for (i, lane) in lanes.iter_mut().enumerate() {
        let [a, b] = [words[2 * i], words[2 * i + 1]].map(u64::from_le_bytes);
        *lane = fold(a ^ *lane, b ^ KEYS[i]).wrapping_add(lane.rotate_left(23));
    }
}

impl Checksum {
    pub(crate) const fn new() -> Self {
        Self { lanes: KEYS, rest: [0; STRIPE], kept: 0, length: 0 }
    }

    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if self.kept > 0 {
            let taken = bytes.len().min(STRIPE - self.kept);
            self.rest[self.kept..self.kept + taken].copy_from_slice(&bytes[..taken]);
            self.kept += taken;
            bytes = &bytes[taken..];
            if self.kept < STRIPE {
                return;
            }
            stripe(&mut self.lanes, &self.rest);
            self.kept = 0;
        }
        let (stripes, rest) = bytes.as_chunks::<STRIPE>();
        let mut lanes = self.lanes;
        stripes.iter().for_each(|bytes| stripe(&mut lanes, bytes));
        self.lanes = lanes;
        self.rest[..rest.len()].copy_from_slice(rest);
        self.kept = rest.len();
    }

    pub(crate) fn finish(&self) -> u64 {
        let mut lanes = self.lanes;
        let mut last = [0; STRIPE];
        last[..self.kept].copy_from_slice(&self.rest[..self.kept]);
        stripe(&mut lanes, &last);
        lanes.iter().fold(self.length, |sum, lane| fold(sum ^ lane, KEYS[1]).wrapping_add(*lane))
    }
}

/// Hashes bytes as [`Saved::hash`](super::Saved::hash) does.
pub fn hash_of(parts: impl IntoIterator<Item: AsRef<[u8]>>) -> u64 {
    let mut sum = Checksum::new();
    parts.into_iter().for_each(|part| sum.add(part.as_ref()));
    sum.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn sum(bytes: &[u8]) -> u64 {
        hash_of([bytes])
    }

    #[test]
    fn how_it_is_cut_does_not_matter() {
        let bytes: Vec<u8> = (0..1000u32).map(|i| (i * 7) as u8).collect();
        for cut in [1, 7, 63, 64, 65, 500] {
            let mut parts = Checksum::new();
            bytes.chunks(cut).for_each(|part| parts.add(part));
            assert_eq!(parts.finish(), sum(&bytes));
        }
    }

    /// Saved files contain this checksum. The expected values are those of an implementation in
    /// another language.
    #[test]
    fn the_checksum_of_given_bytes_never_changes() {
        assert_eq!(fold((1 << 63) | 1, 3), (1 << 63) + 2);
        assert_eq!(sum(&[]), 0x7565_32ca_be6e_edc9);
        let bytes: Vec<u8> = (0..100).collect();
        assert_eq!(sum(&bytes), 0x4b42_9ec2_ae5a_fd8f);
    }

    #[test]
    fn every_bit_counts() {
        let mut bytes = [0u8; 200];
        let before = sum(&bytes);
        for bit in 0..1600 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(sum(&bytes), before);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        assert_ne!(sum(&bytes[..199]), before);
    }
}
