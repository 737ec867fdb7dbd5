//! [`is_plain`]: whether each byte of a value in memory is part of a number, so that the bytes can
//! be compared and copied.
//!
//! `derive(Component)` cannot prove this by itself: a name such as `f32` may be another type, and
//! an implementation by hand may say anything. So it passes references to the numbers, whose
//! addresses are compared with that of the value. In a release build, the comparison of a struct of
//! numbers is a constant. `storage/copy.rs` reads the bytes.

use core::any::TypeId;
use core::marker::PhantomData;
use core::ptr;

/// A function that passes references to the numbers of a value, in the order of its fields. The
/// references live as long as that of the value, so that nothing changes the numbers while its
/// bytes are read: a reference that a lock or the owner of a cell gives for a moment is not
/// accepted.
pub type ListNumbers<T> = for<'v> fn(&'v T, &mut NumberFields<'v>);

/// The numbers of a value that were listed.
pub struct NumberFields<'v> {
    numbers: PhantomData<fn(&'v u8)>,
    /// The address of the value.
    start: *const u8,
    /// The number of bytes after `start` that are numbers.
    covered: usize,
    /// Whether only numbers were listed, each at the end of those before it.
    adjacent: bool,
}

impl<'v> NumberFields<'v> {
    /// Adds a field: an array of numbers, or a single number.
    #[inline(always)]
    pub fn add<N: 'static>(&mut self, numbers: &'v [N]) {
        let here = self.start.wrapping_add(self.covered);
        self.adjacent &= is_number::<N>() && ptr::eq(numbers.as_ptr().cast(), here);
        self.covered = self.covered.saturating_add(size_of_val(numbers));
    }
}

/// Whether `N` is a type all of whose bytes are initialised.
#[inline(always)]
fn is_number<N: 'static>() -> bool {
    macro_rules! is_one_of {
        ($($ty:ty),*) => {
            $(TypeId::of::<N>() == TypeId::of::<$ty>())||*
        };
    }
    is_one_of!(f32, f64, u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, bool)
}

/// Returns `true` only if numbers cover the value from its first byte to its last: then all its
/// bytes are initialised. Unsafe code relies on this result, whatever function lists the numbers.
#[inline(always)]
pub(crate) fn is_plain<'v, T>(value: &'v T, list: impl FnOnce(&'v T, &mut NumberFields<'v>)) -> bool {
    let mut fields =
        NumberFields { numbers: PhantomData, start: ptr::from_ref(value).cast(), covered: 0, adjacent: true };
    list(value, &mut fields);
    // the references that were passed are valid, their targets are adjacent from the address of the
    // value, and together as long as the value
    fields.adjacent && fields.covered == size_of::<T>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_cover_a_value_make_it_plain() {
        assert!(is_plain(&[1.0_f32, 2.0], |value, fields| fields.add(value)));
        assert!(is_plain(&(1_u32, 2_u32), |value, fields| {
            let [first, second] = if ptr::from_ref(&value.0) < ptr::from_ref(&value.1) {
                [&value.0, &value.1]
            } else {
                [&value.1, &value.0]
            };
            fields.add(core::slice::from_ref(first));
            fields.add(core::slice::from_ref(second));
        }));
    }

    #[test]
    fn a_wrong_list_makes_no_value_plain() {
        static OTHER: [u32; 2] = [7; 2];
        #[repr(C)]
        struct Pair(u32, u32);
        let wrong: [ListNumbers<Pair>; 7] = [
            |_, _| {},
            |_, fields| fields.add(&OTHER),
            |value, fields| fields.add(core::slice::from_ref(&value.0)),
            |value, fields| {
                fields.add(core::slice::from_ref(&value.1));
                fields.add(core::slice::from_ref(&value.0));
            },
            |value, fields| {
                fields.add(core::slice::from_ref(&value.0));
                fields.add(core::slice::from_ref(&value.0));
            },
            |value, fields| {
                fields.add(core::slice::from_ref(&value.0));
                fields.add(&OTHER[..1]);
            },
            // the types are no numbers
            |value, fields| fields.add(core::slice::from_ref(value)),
        ];
        for (at, list) in wrong.into_iter().enumerate() {
            assert!(!is_plain(&Pair(1, 2), list), "{at}");
        }
    }

    #[test]
    fn a_value_with_padding_is_not_plain() {
        #[repr(C)]
        struct Padded(u8, u32);
        assert!(!is_plain(&Padded(1, 2), |value, fields| {
            fields.add(core::slice::from_ref(&value.0));
            fields.add(core::slice::from_ref(&value.1));
        }));
    }
}
