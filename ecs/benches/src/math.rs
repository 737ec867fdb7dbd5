//! Arithmetic that all libraries share, and checksums.

/// A matrix, by rows, that has an inverse.
pub(crate) const TRANSFORM: [f32; 16] =
    [2.0, 0.0, 0.0, 1.0, 0.0, 4.0, 0.0, 2.0, 0.0, 0.0, 0.5, 3.0, 0.0, 0.0, 0.0, 1.0];

/// The inverse of a matrix, by cofactors.
#[inline]
pub(crate) fn invert(m: &[f32; 16]) -> [f32; 16] {
    let s0 = m[0] * m[5] - m[4] * m[1];
    let s1 = m[0] * m[6] - m[4] * m[2];
    let s2 = m[0] * m[7] - m[4] * m[3];
    let s3 = m[1] * m[6] - m[5] * m[2];
    let s4 = m[1] * m[7] - m[5] * m[3];
    let s5 = m[2] * m[7] - m[6] * m[3];
    let c5 = m[10] * m[15] - m[14] * m[11];
    let c4 = m[9] * m[15] - m[13] * m[11];
    let c3 = m[9] * m[14] - m[13] * m[10];
    let c2 = m[8] * m[15] - m[12] * m[11];
    let c1 = m[8] * m[14] - m[12] * m[10];
    let c0 = m[8] * m[13] - m[12] * m[9];
    let d = 1.0 / (s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0);
    [
        (m[5] * c5 - m[6] * c4 + m[7] * c3) * d,
        (-m[1] * c5 + m[2] * c4 - m[3] * c3) * d,
        (m[13] * s5 - m[14] * s4 + m[15] * s3) * d,
        (-m[9] * s5 + m[10] * s4 - m[11] * s3) * d,
        (-m[4] * c5 + m[6] * c2 - m[7] * c1) * d,
        (m[0] * c5 - m[2] * c2 + m[3] * c1) * d,
        (-m[12] * s5 + m[14] * s2 - m[15] * s1) * d,
        (m[8] * s5 - m[10] * s2 + m[11] * s1) * d,
        (m[4] * c4 - m[5] * c2 + m[7] * c0) * d,
        (-m[0] * c4 + m[1] * c2 - m[3] * c0) * d,
        (m[12] * s4 - m[13] * s2 + m[15] * s0) * d,
        (-m[8] * s4 + m[9] * s2 - m[11] * s0) * d,
        (-m[4] * c3 + m[5] * c1 - m[6] * c0) * d,
        (m[0] * c3 - m[1] * c1 + m[2] * c0) * d,
        (-m[12] * s3 + m[13] * s1 - m[14] * s0) * d,
        (m[8] * s3 - m[9] * s1 + m[10] * s0) * d,
    ]
}

/// A direction, turned by a matrix.
#[inline]
pub(crate) fn turn(m: &[f32; 16], v: &[f32; 3]) -> [f32; 3] {
    [0, 4, 8].map(|row| m[row] * v[0] + m[row + 1] * v[1] + m[row + 2] * v[2])
}

/// The contribution of one entity to a checksum, which is a sum, so that the order of entities does
/// not matter.
pub(crate) fn digest(parts: &[&[f32]]) -> u64 {
    parts.iter().flat_map(|part| part.iter()).fold(0xcbf2_9ce4_8422_2325, |hash, number| {
        (hash ^ u64::from(number.to_bits())).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29)
    })
}

/// A checksum, of what its entities add to it.
pub(crate) fn total(digests: impl Iterator<Item = u64>) -> u64 {
    digests.fold(0, u64::wrapping_add)
}

/// The numbers below `count` in an order that is the same in every run: Fisher and Yates, with
/// xorshift.
pub(crate) fn shuffled(count: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for i in (1..order.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(i, (state % (i as u64 + 1)) as usize);
    }
    order
}
