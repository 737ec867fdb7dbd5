//! [`VecValues`]: values that are moved out of the memory of a `Vec`, for batches and columns that
//! are spawned from one.
//!
//! The values of a `Vec` lie side by side, so that many are copied at once, or read where they lie.
//! `next` of the iterator of a `Vec` would copy each value to the stack first. A library cannot
//! specialize a function for one type yet: [`VecValues::of`] compares the types of iterators
//! instead. The comparison is a constant for the optimizer.
#![expect(unsafe_code, reason = "an iterator is recognised by its type, and values are moved out of a `Vec`")]

use alloc::vec::{self, Vec};
use core::any::TypeId;
use core::marker::PhantomData;
use core::mem::{self, MaybeUninit, needs_drop};
use core::ptr::{self, NonNull};
use core::slice;

/// Whether an iterator may be that of a `Vec`, by its size. `if const { may_be_vec::<I>() }` keeps
/// a `dev` build from compiling the branch for iterators that cannot be one.
pub(crate) const fn may_be_vec<I: Iterator>() -> bool {
    needs_drop::<I>() && size_of::<I>() == size_of::<vec::IntoIter<I::Item>>()
}

/// Returns an iterator as that of a `Vec`, if it is one.
#[inline(always)]
fn as_vec<I: Iterator>(iterator: &mut I) -> Option<&mut vec::IntoIter<I::Item>> {
    if id_of::<I>() != id_of::<vec::IntoIter<I::Item>>() {
        return None;
    }
    // SAFETY: the two types are equal but for lifetimes, so that `I` is `vec::IntoIter<X>` for some
    // `X`, with the allocator that is the default. The `Item` of that type is `X`, with all its
    // lifetimes. So `I::Item` is `X`, and the two types are one.
    Some(unsafe { &mut *ptr::from_mut(iterator).cast::<vec::IntoIter<I::Item>>() })
}

/// The id of a type without its lifetimes. The technique is that of the crate `typeid`.
#[inline(always)]
fn id_of<T: ?Sized>() -> TypeId {
    trait HasId {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T: ?Sized> HasId for PhantomData<T> {
        #[inline(always)]
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let of = PhantomData::<T>;
    // SAFETY: the reference keeps its lifetime, and only that of the type behind it is changed. The
    // reference is used for a call of `id`, which reads no value, and whose result is the same for
    // all lifetimes: the compiler has one instance of a function for them.
    let of = unsafe { mem::transmute::<&dyn HasId, &(dyn HasId + 'static)>(&of) };
    of.id()
}

/// The values of a `Vec` that are not moved out yet.
///
/// # Invariants
/// 1. The length of `memory` is zero, so that its drop frees the memory and drops no value.
/// 2. Of the `len` values at its address, those from `moved` on are initialised, and belong to this
///    `VecValues`. The values before them are moved out, and are not read again: a `Box` that is
///    moved, even to be forgotten, claims its memory for itself.
pub(crate) struct VecValues<T> {
    memory: Vec<T>,
    moved: usize,
    len: usize,
}

impl<T> VecValues<T> {
    /// Takes the values out of an iterator, if it is that of a `Vec`. They stay where they are,
    /// unless the iterator has yielded some.
    #[inline(always)]
    pub(crate) fn of<I: Iterator<Item = T>>(iterator: &mut I) -> Option<Self> {
        // the first condition is for `dev` builds, see `may_be_vec`
        if const { may_be_vec::<I>() }
            && let Some(values) = as_vec(iterator)
        {
            return Some(Self::new(mem::take(values).collect()));
        }
        None
    }

    fn new(mut memory: Vec<T>) -> Self {
        let len = memory.len();
        // SAFETY: a length of zero asks for no initialised element. The values belong to the new
        // `VecValues`, by invariant 2.
        unsafe { memory.set_len(0) };
        Self { memory, moved: 0, len }
    }

    /// The number of values.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len - self.moved
    }

    /// Calls `f` with the first values, at most `most`.
    #[inline(always)]
    pub(crate) fn move_each(&mut self, most: usize, f: impl FnMut(T)) {
        let len = self.len().min(most);
        // SAFETY: by invariant 2 the `len` values from `moved` on are initialised. `read_each`
        // counts each in `moved` before it reads it, and no function reads values before `moved`.
        unsafe {
            let values = slice::from_raw_parts(self.memory.as_ptr().add(self.moved).cast(), len);
            read_each(values, &mut self.moved, f);
        }
    }

    /// Moves the first values, at most `most`, to the memory at `to`, and returns their number.
    ///
    /// # Safety
    /// At `to` is room for `most` values, outside of the memory of the `Vec`.
    #[inline]
    pub(crate) unsafe fn move_to(&mut self, to: NonNull<T>, most: usize) -> usize {
        let (len, mut copied) = (self.len().min(most), 0);
        while copied < len {
            let piece = (len - copied).min(const { PIECE.div_ceil(size_of::<T>() + 1) });
            // SAFETY: by invariant 2 the values from `moved` to `moved + len` are initialised, and
            // there is room for `len` values at `to`, apart from them, by the contract of this
            // function. All of them are counted in `moved` below, and nothing in between panics.
            unsafe {
                let from = self.memory.as_ptr().add(self.moved + copied);
                to.as_ptr().add(copied).copy_from_nonoverlapping(from, piece);
            }
            copied += piece;
        }
        self.moved += len;
        len
    }
}

impl<T> Drop for VecValues<T> {
    #[inline]
    fn drop(&mut self) {
        if const { needs_drop::<T>() } {
            // SAFETY: by invariant 2 the values from `moved` on are initialised and belong to this
            // `VecValues`, which is not used afterwards.
            unsafe {
                let first = self.memory.as_mut_ptr().add(self.moved);
                ptr::slice_from_raw_parts_mut(first, self.len()).drop_in_place();
            }
        }
    }
}

/// The number of bytes that are copied at once. `memcpy` copies longer pieces in another way, which
/// is a fifth slower if the pages are new memory of the system, and hardly faster if they are not.
const PIECE: usize = 2048;

/// Reads each value, and calls `f` with it. Adds 1 to the count `moved` for each value before it is
/// read; the caller sees the count when the function ends, also by a panic in `f`.
///
/// The loop is a function of its own, because its parameter `values` tells the compiler that the
/// values do not change when `f` writes. Otherwise each value is copied to the stack first, in
/// pieces of another size than those in which it is read from there, for which a processor waits.
///
/// # Safety
/// The values are initialised, and the caller does not use those again that are counted in `moved`.
#[inline(never)]
unsafe fn read_each<T>(values: &[MaybeUninit<T>], moved: &mut usize, mut f: impl FnMut(T)) {
    /// Stores the number when it is dropped, also by a panic in `f`. During the loop, the number
    /// can stay in a register.
    struct Moved<'m>(usize, &'m mut usize);
    impl Drop for Moved<'_> {
        #[inline(always)]
        fn drop(&mut self) {
            *self.1 = self.0;
        }
    }
    let mut moved = Moved(*moved, moved);
    let mut next = 0;
    while next < values.len() {
        (next, moved.0) = (next + 1, moved.0 + 1);
        // SAFETY: the value is initialised by the contract of this function. `next` only grows, so
        // that each value is read once, and the value is counted, so that the caller does not use
        // it again.
        f(unsafe { values[next - 1].assume_init_read() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::boxed::Box;
    use alloc::rc::Rc;
    use alloc::string::String;
    extern crate std;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn the_iterator_of_a_vec_is_recognized() {
        let (text, mut numbers) = (String::from("text"), alloc::vec![1, 2, 3].into_iter());
        assert_eq!(as_vec(&mut numbers).map(|numbers| numbers.next()), Some(Some(1)));
        assert_eq!(numbers.as_slice(), [2, 3]);
        let mut borrowed = alloc::vec![&*text].into_iter();
        assert_eq!(as_vec(&mut borrowed).and_then(Iterator::next), Some(&*text));
        let mut functions = alloc::vec![str::len as for<'a> fn(&'a str) -> usize].into_iter();
        assert_eq!(as_vec(&mut functions).and_then(Iterator::next).map(|len| len(&text)), Some(4));
    }

    /// An iterator with the size of that of a `Vec`.
    struct Wrapped(vec::IntoIter<u32>);
    impl Iterator for Wrapped {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            self.0.next()
        }
    }

    #[test]
    fn other_iterators_are_not_recognized() {
        let numbers: Vec<u32> = alloc::vec![1, 2, 3];
        assert!(as_vec(&mut numbers.iter()).is_none());
        assert!(as_vec(&mut numbers.iter().copied()).is_none());
        assert!(as_vec(&mut numbers.clone().into_iter().inspect(|_| ())).is_none());
        assert!(as_vec(&mut numbers.into_iter().by_ref()).is_none());
        assert!(as_vec(&mut [1_u32].into_iter()).is_none());
        assert!(as_vec(&mut Wrapped(alloc::vec![1].into_iter())).is_none());
        let mut dynamic: Box<dyn Iterator<Item = u32>> = Box::new(alloc::vec![1].into_iter());
        assert!(as_vec(&mut dynamic).is_none());
    }

    fn values<T>(values: impl Iterator<Item = T>) -> VecValues<T> {
        VecValues::new(values.collect())
    }

    #[test]
    fn values_are_moved_once() {
        let alive = Rc::new(());
        for (taken, moved) in [(0, 0), (0, 10), (3, 4), (9, 1), (10, 0), (2, 100)] {
            let mut iterator = alloc::vec![Box::new(alive.clone()); 10].into_iter();
            iterator.by_ref().take(taken).for_each(drop);
            let mut values = VecValues::of(&mut iterator).unwrap();
            let mut out = Vec::new();
            values.move_each(moved, |value| out.push(value));
            assert_eq!(
                (out.len(), values.len()),
                (moved.min(10 - taken), (10 - taken).saturating_sub(moved))
            );
            assert_eq!(Rc::strong_count(&alive), 1 + 10 - taken);
            drop(values);
            assert_eq!(Rc::strong_count(&alive), 1 + out.len());
        }
        assert_eq!(Rc::strong_count(&alive), 1);
    }

    #[test]
    fn a_panic_drops_each_value_once() {
        let alive = Rc::new(());
        let mut four = values((0..10).map(|_| alive.clone()));
        let result = catch_unwind(AssertUnwindSafe(|| four.move_each(4, |_| panic!("in the function"))));
        assert!(result.is_err());
        assert_eq!((four.len(), Rc::strong_count(&alive)), (9, 1 + 9));
        drop(four);
        assert_eq!(Rc::strong_count(&alive), 1);
    }

    #[test]
    fn values_are_copied_to_memory() {
        let mut texts = values((0..300).map(|n| alloc::format!("{n}")));
        let mut to: Vec<String> = Vec::with_capacity(250);
        // SAFETY: there is room for 250 values.
        let copied = unsafe { texts.move_to(NonNull::from(to.spare_capacity_mut()).cast(), 250) };
        assert_eq!((copied, texts.len()), (250, 50));
        // SAFETY: so many values were written.
        unsafe { to.set_len(copied) };
        assert!(to.iter().enumerate().all(|(n, text)| *text == alloc::format!("{n}")));
    }

    #[test]
    fn values_without_a_size_are_counted() {
        let mut units = VecValues::new(alloc::vec![(); 10]);
        let mut calls = 0;
        units.move_each(3, |()| calls += 1);
        // SAFETY: values without a size need no memory.
        let copied = unsafe { units.move_to(NonNull::dangling(), 5) };
        assert_eq!((calls, copied, units.len()), (3, 5, 2));
    }
}
