//! The length and the layout of pages of values.
//!
//! The length is a power of two of 64-slot words, and depends on the size of a value alone. So the
//! boundaries of pages agree in all columns: a shorter page always divides a longer one.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline)` are dev calls: see
//! `docs/compile-times.md`.

use core::alloc::Layout;

/// The length of the longest page, in words of 64 slots.
pub(crate) const MAX_WORDS: usize = 64;

/// The size in bytes that a page does not exceed, unless 64 values exceed it already.
const TARGET_BYTES: usize = 64 * 1024;

/// The share of spare memory: a new extent has one page, and one more for each `SHARE` pages that
/// the column has already, so that at most a ninth of the memory is spare, once a column has many
/// pages.
pub(crate) const SHARE: usize = 8;

/// The length of a page of values of `size` bytes, in words of 64 slots.
pub(crate) const fn words(size: usize) -> usize {
    let mut words = MAX_WORDS;
    while words > 1 && words * 64 * size > TARGET_BYTES {
        words /= 2;
    }
    words
}

/// The properties of a column's type on which the addresses of its values depend. A function that
/// takes a `Shape` is compiled once, not once for each component; where it is inlined, the shape is
/// still a constant.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// The length of a page in words of 64 slots.
    pub(crate) words: usize,
    /// The size of a value in bytes. A column of values with size 0 has no pages.
    pub(crate) size: usize,
    /// The alignment of a value in bytes.
    pub(crate) align: usize,
}

impl Shape {
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) const fn of<T>() -> Self {
        Self { words: words(size_of::<T>()), size: size_of::<T>(), align: align_of::<T>() }
    }

    /// The number of slots in a page.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) const fn slots(self) -> usize {
        self.words * 64
    }

    /// Whether values have a size, so that the column has pages.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) const fn sized(self) -> bool {
        self.size != 0
    }

    /// The address of values without a size: aligned, not null and dangling.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) const fn nowhere(self) -> *mut u8 {
        core::ptr::without_provenance_mut(self.align)
    }

    /// The number of bytes for values at these slots, given as 64 bits to a word, in a column
    /// without other values.
    pub(crate) fn bytes_for(self, slots: &[u64]) -> u64 {
        let pages = slots.chunks(self.words).filter(|words| words.iter().any(|&word| word != 0)).count();
        // and the spare pages
        let pages = (pages + pages / SHARE) as u64;
        pages * self.layout().size() as u64 + size_of_val(slots) as u64
    }

    /// The layout of a page.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) const fn layout(self) -> Layout {
        let Some(size) = self.size.checked_mul(self.slots()) else {
            panic!("64 values of this component exceed the address space");
        };
        match Layout::from_size_align(size, self.align) {
            Ok(layout) => layout,
            Err(_) => panic!("64 values of this component exceed the address space"),
        }
    }
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

    #[test]
    fn the_memory_of_values_is_their_pages_and_their_bits() {
        let shape = Shape::of::<[u8; 64]>();
        let page = shape.layout().size() as u64;
        assert_eq!((shape.words, page), (16, 65_536));
        let mut slots = [0; 16 * 10];
        let bits = size_of_val(&slots) as u64;
        assert_eq!(shape.bytes_for(&slots), bits, "without values there are no pages");
        (slots[15], slots[32]) = (1, 1 << 63);
        assert_eq!(shape.bytes_for(&slots), 2 * page + bits);
        slots[..16 * 9].fill(1);
        assert_eq!(shape.bytes_for(&slots), (9 + 9 / SHARE as u64) * page + bits);
    }
}
