//! Fields that few columns use, behind one pointer each.
//!
//! A column's code is compiled for each component. As an `Option<Box<..>>`, each rarely used field would have its drop compiled
//! for every component, a dozen functions for a list. The drop of an [`ErasedBox`] is compiled only where a box is filled, and a
//! column has its boxes as [`ErasedColdFields`], whose drop does not depend on the component.
//!
//! This is done only for compile time: see `docs/compile-times.md`.
#![expect(unsafe_code, reason = "a box is an untyped pointer, dropped by a function that knows the type")]

use alloc::boxed::Box;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::removals::Removals;
use super::snapshot_pages::SnapshotPages;
use crate::storage::rule_state::RuleState;

/// Fields that few columns use: the log of removed values, the rule's state, and the pages shared with snapshots. No unsafe code
/// relies on their presence.
#[repr(C)]
pub(super) struct ColdFields<T> {
    /// The removed values, if some schedule reads them.
    pub(super) removals: ErasedBox<Removals<T>>,
    /// The state of the component's rule, from the column's first value on.
    pub(super) rule_state: ErasedBox<Box<dyn RuleState<T>>>,
    /// The copies of pages that the column shares with snapshots, if it ever was in a snapshot.
    pub(super) snapshot_pages: ErasedBox<SnapshotPages<T>>,
}

/// [`ColdFields`] without the type `T`.
///
/// # Invariants
/// Each value belongs to a column of one type `T`, and is accessed as `ColdFields<T>` of this `T` only.
pub(super) struct ErasedColdFields(
    #[expect(dead_code, reason = "read as `ColdFields`, and dropped")] [Option<Erased>; 3],
);

impl ErasedColdFields {
    pub(super) const NONE: Self = Self([None, None, None]);

    /// The fields as those of a column of `T`.
    ///
    /// # Safety
    /// The value belongs to a column of `T`: it was never accessed with another type.
    pub(super) const unsafe fn of<T>(&self) -> &ColdFields<T> {
        // SAFETY: by `repr(C)` and `repr(transparent)`, `ColdFields<T>` is three `Option<Erased>`, as `Self` is; their content
        // belongs to `T` by the contract of this function.
        unsafe { &*(&raw const *self).cast() }
    }

    /// # Safety
    /// As for [`of`](Self::of).
    pub(super) const unsafe fn of_mut<T>(&mut self) -> &mut ColdFields<T> {
        // SAFETY: as in `of`; `&mut self` makes the reference unique.
        unsafe { &mut *(&raw mut *self).cast() }
    }
}

const _: () = assert!(size_of::<ErasedColdFields>() == size_of::<ColdFields<()>>());

/// A box of `X`, or nothing: an `Option<Box<X>>` whose drop does not depend on `X`.
#[repr(transparent)]
pub(super) struct ErasedBox<X> {
    held: Option<Erased>,
    /// Owns an `X`.
    owns: PhantomData<X>,
}

/// An owning pointer to a [`Held`] of a type that is not known here.
struct Erased(NonNull<BoxHeader>);

/// The first field of every [`Held`].
struct BoxHeader {
    drop: unsafe fn(NonNull<BoxHeader>),
}

#[repr(C)]
struct Held<X> {
    header: BoxHeader,
    value: X,
}

impl Drop for Erased {
    fn drop(&mut self) {
        // SAFETY: `ErasedBox::some` made this pointer, and stored the `drop_held` of the same type in the header; nothing uses the
        // pointer after this drop.
        unsafe { (self.0.as_ref().drop)(self.0) }
    }
}

/// Drops a box of which only the header is known.
///
/// # Safety
/// `held` comes from `Box::into_raw` of a `Box<Held<X>>`, and is not used after this call.
unsafe fn drop_held<X>(held: NonNull<BoxHeader>) {
    // SAFETY: by the contract of this function, `held` is the pointer of a `Box<Held<X>>`.
    drop(unsafe { Box::from_raw(held.cast::<Held<X>>().as_ptr()) });
}

impl<X> ErasedBox<X> {
    pub(super) const fn none() -> Self {
        Self { held: None, owns: PhantomData }
    }

    pub(super) fn some(value: X) -> Self {
        let held = Box::into_raw(Box::new(Held { header: BoxHeader { drop: drop_held::<X> }, value }));
        Self { held: NonNull::new(held.cast()).map(Erased), owns: PhantomData }
    }

    pub(super) const fn is_none(&self) -> bool {
        self.held.is_none()
    }

    /// Takes the content out, and leaves nothing.
    pub(super) const fn take(&mut self) -> Self {
        core::mem::replace(self, Self::none())
    }

    pub(super) fn as_ref(&self) -> Option<&X> {
        // SAFETY: `some` made the pointer from a `Box<Held<X>>`, and the reference lives as long as the borrow of `self`.
        self.held.as_ref().map(|held| unsafe { &(*held.0.cast::<Held<X>>().as_ptr()).value })
    }

    pub(super) fn as_mut(&mut self) -> Option<&mut X> {
        // SAFETY: `some` made the pointer from a `Box<Held<X>>`; `&mut self` makes the reference unique.
        self.held.as_mut().map(|held| unsafe { &mut (*held.0.cast::<Held<X>>().as_ptr()).value })
    }

    pub(super) fn get_or_insert_with(&mut self, value: impl FnOnce() -> X) -> &mut X {
        if self.is_none() {
            *self = Self::some(value());
        }
        self.as_mut().expect("the box was filled above")
    }
}

impl<X: Clone> Clone for ErasedBox<X> {
    fn clone(&self) -> Self {
        self.as_ref().map_or(Self::none(), |value| Self::some(value.clone()))
    }

    fn clone_from(&mut self, source: &Self) {
        match (self.as_mut(), source.as_ref()) {
            (Some(value), Some(source)) => value.clone_from(source),
            _ => *self = source.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::rc::Rc;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn the_content_of_a_box_is_dropped_once() {
        let value = Rc::new(());
        let mut boxed = ErasedBox::none();
        assert!(boxed.is_none() && boxed.as_ref().is_none() && boxed.as_mut().is_none());
        boxed.get_or_insert_with(Vec::new).push(Rc::clone(&value));
        boxed.get_or_insert_with(|| panic!("there is one")).push(Rc::clone(&value));
        assert_eq!(Rc::strong_count(&value), 3);
        boxed = ErasedBox::some(vec![Rc::clone(&value)]);
        assert_eq!((Rc::strong_count(&value), boxed.as_ref().map(Vec::len)), (2, Some(1)));
        let taken = boxed.take();
        assert!(boxed.is_none() && !taken.is_none());
        drop((boxed, taken));
        assert_eq!(Rc::strong_count(&value), 1);
    }

    #[test]
    fn a_clone_is_independent() {
        let one = ErasedBox::some(String::from("one"));
        let mut other = one.clone();
        other.as_mut().unwrap().push('s');
        assert_eq!((one.as_ref().unwrap().as_str(), other.as_ref().unwrap().as_str()), ("one", "ones"));
        other.clone_from(&one);
        assert_eq!(other.as_ref(), one.as_ref());
        other.clone_from(&ErasedBox::none());
        assert!(other.is_none());
        other.clone_from(&one);
        assert_eq!(other.as_ref(), one.as_ref());
    }

    #[test]
    fn a_box_keeps_the_alignment_of_its_value() {
        #[repr(align(64))]
        struct Wide(u8);
        let boxed = ErasedBox::some(Wide(7));
        let value = boxed.as_ref().unwrap();
        assert_eq!((value.0, core::ptr::from_ref(value).addr() % 64), (7, 0));
    }
}
