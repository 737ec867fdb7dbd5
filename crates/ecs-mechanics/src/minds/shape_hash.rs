//! [`ShapeHash`], by which a saved position or plan is compared with the content that it was made for.

/// An FNV-1a hash with 32 bits. Saves have it, so it is the same on every machine.
pub(super) struct ShapeHash(u32);

impl ShapeHash {
    pub(super) const fn new() -> Self {
        Self(0x811c_9dc5)
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        }
    }

    /// The hash, which is never zero: zero is the shape of a new position or plan.
    pub(super) fn finish(self) -> u32 {
        self.0.max(1)
    }
}
