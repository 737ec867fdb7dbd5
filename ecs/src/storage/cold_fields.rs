//! A box for what a column rarely has.
//!
//! A column's code is compiled for each component. What few columns have would have its own drop compiled with it, a
//! dozen functions for a `Box` of lists; of a [`ErasedBox`] that is made where one is filled, and a column holds its own as
//! [`ErasedColdFields`], which is the same for all.
#![expect(
    unsafe_code,
    reason = "what is held is known by its address alone, and dropped by a function that knows it"
)]

use alloc::boxed::Box;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::removals::Removals;
use super::snapshot_pages::SnapshotPages;
use crate::storage::rule_state::RuleState;

/// What a column of `T` rarely has. Nothing that is safe depends on its being there.
#[repr(C)]
pub(super) struct ColdFields<T> {
    /// Of a component whose removed values some schedule reads.
    pub(super) removals: ErasedBox<Removals<T>>,
    /// Of a component with a rule, from its first value on.
    pub(super) rule_state: ErasedBox<Box<dyn RuleState<T>>>,
    /// The copies of its pages that snapshots have, of one that ever was in a snapshot.
    pub(super) known: ErasedBox<SnapshotPages<T>>,
}

/// [`ColdFields`] of a `T` that is not said.
///
/// # Invariants
/// Whoever has one knows of which `T`, and uses it for that alone.
pub(super) struct ErasedColdFields(
    #[expect(dead_code, reason = "read as `ColdFields`, and dropped")] [Option<Erased>; 3],
);

impl ErasedColdFields {
    pub(super) const NONE: Self = Self([None, None, None]);

    /// # Safety
    /// It has been used as that of `T` only.
    pub(super) const unsafe fn of<T>(&self) -> &ColdFields<T> {
        // SAFETY: `ColdFields` is three `ErasedBox`, each laid out as an `Option<Erased>`, and what they hold is of `T`.
        unsafe { &*(&raw const *self).cast() }
    }

    /// # Safety
    /// As for [`of`](Self::of).
    pub(super) const unsafe fn of_mut<T>(&mut self) -> &mut ColdFields<T> {
        // SAFETY: as above.
        unsafe { &mut *(&raw mut *self).cast() }
    }
}

const _: () = assert!(size_of::<ErasedColdFields>() == size_of::<ColdFields<()>>());

/// A box of `X`, or nothing: an `Option<Box<X>>` whose drop does not depend on `X`.
#[repr(transparent)]
pub(super) struct ErasedBox<X> {
    held: Option<Erased>,
    /// What `held` is the address of.
    owns: PhantomData<X>,
}

/// The address of a [`Held`] that it owns.
struct Erased(NonNull<Head>);

/// What is held begins with it, whatever it is.
struct Head {
    drop: unsafe fn(NonNull<Head>),
}

#[repr(C)]
struct Held<X> {
    head: Head,
    value: X,
}

impl Drop for Erased {
    fn drop(&mut self) {
        // SAFETY: it owns what is there, which begins with its head, and nobody uses it after this.
        unsafe { (self.0.as_ref().drop)(self.0) }
    }
}

/// # Safety
/// `held` is that of a `Held<X>` in a box, which is not used any more.
unsafe fn drop_held<X>(held: NonNull<Head>) {
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(held.cast::<Held<X>>().as_ptr()) });
}

impl<X> ErasedBox<X> {
    pub(super) const fn none() -> Self {
        Self { held: None, owns: PhantomData }
    }

    pub(super) fn some(value: X) -> Self {
        let held = Box::into_raw(Box::new(Held { head: Head { drop: drop_held::<X> }, value }));
        Self { held: NonNull::new(held.cast()).map(Erased), owns: PhantomData }
    }

    pub(super) const fn is_none(&self) -> bool {
        self.held.is_none()
    }

    /// What there is; nothing is left.
    pub(super) const fn take(&mut self) -> Self {
        core::mem::replace(self, Self::none())
    }

    pub(super) fn as_ref(&self) -> Option<&X> {
        // SAFETY: what is held is a `Held<X>`, since `some` made it, and is borrowed as `self` is.
        self.held.as_ref().map(|held| unsafe { &(*held.0.cast::<Held<X>>().as_ptr()).value })
    }

    pub(super) fn as_mut(&mut self) -> Option<&mut X> {
        // SAFETY: as above.
        self.held.as_mut().map(|held| unsafe { &mut (*held.0.cast::<Held<X>>().as_ptr()).value })
    }

    pub(super) fn get_or_insert_with(&mut self, value: impl FnOnce() -> X) -> &mut X {
        if self.is_none() {
            *self = Self::some(value());
        }
        self.as_mut().expect("there is one now")
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
    fn what_is_held_is_dropped_once() {
        let value = Rc::new(());
        let mut rare = ErasedBox::none();
        assert!(rare.is_none() && rare.as_ref().is_none() && rare.as_mut().is_none());
        rare.get_or_insert_with(Vec::new).push(Rc::clone(&value));
        rare.get_or_insert_with(|| panic!("there is one")).push(Rc::clone(&value));
        assert_eq!(Rc::strong_count(&value), 3);
        rare = ErasedBox::some(vec![Rc::clone(&value)]);
        assert_eq!((Rc::strong_count(&value), rare.as_ref().map(Vec::len)), (2, Some(1)));
        let taken = rare.take();
        assert!(rare.is_none() && !taken.is_none());
        drop((rare, taken));
        assert_eq!(Rc::strong_count(&value), 1);
    }

    #[test]
    fn clones_are_apart() {
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
    fn values_of_any_alignment_are_held() {
        #[repr(align(64))]
        struct Wide(u8);
        let rare = ErasedBox::some(Wide(7));
        let value = rare.as_ref().unwrap();
        assert_eq!((value.0, core::ptr::from_ref(value).addr() % 64), (7, 0));
    }
}
