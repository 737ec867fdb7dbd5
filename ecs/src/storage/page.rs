//! How long a page is.
//!
//! The length is a power of two of 64-slot words and a function of the value's size alone, so that columns of
//! different sizes share boundaries: the shorter page always divides the longer one.

/// The longest page, in words of 64 slots.
pub(crate) const MAX_WORDS: usize = 64;

/// The size in bytes that a page does not exceed, unless 64 values already do.
const TARGET_BYTES: usize = 64 * 1024;

/// The length of a page of values of `size` bytes, in words of 64 slots.
pub(crate) const fn words(size: usize) -> usize {
    let mut words = MAX_WORDS;
    while words > 1 && words * 64 * size > TARGET_BYTES {
        words /= 2;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_powers_of_two_and_shrink_with_size() {
        let mut last = MAX_WORDS;
        for size in 0..5000 {
            let words = words(size);
            assert!(words.is_power_of_two() && words <= last);
            assert!(words == 1 || words * 64 * size <= TARGET_BYTES);
            last = words;
        }
        assert_eq!((words(0), words(12), words(64), words(usize::MAX / 4096)), (64, 64, 16, 1));
    }
}
