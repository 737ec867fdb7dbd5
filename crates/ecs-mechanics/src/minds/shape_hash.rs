//! [`ShapeHash`], by which a saved position or plan is compared with the content that it was made
//! for.

/// An FNV-1a hash with 64 bits. Saves have it, so it is the same on every machine.
pub(super) struct ShapeHash(u64);

impl ShapeHash {
    pub(super) const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The hash, which is never zero: zero is the shape of a new position or plan.
    pub(super) fn finish(self) -> u64 {
        self.0.max(1)
    }
}
