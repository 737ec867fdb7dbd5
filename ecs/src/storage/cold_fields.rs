//! Fields that few columns use, behind one pointer each.
//!
//! A column's code is compiled for each component. As an `Option<Box<..>>`, each rarely used field
//! would have its drop compiled for every component, a dozen functions for a list. The functions of
//! an [`ErasedBox`] are compiled only where a box is filled, and a column has its boxes as
//! [`ErasedColdFields`], whose functions do not depend on the component.
//!
//! This is done only for compile time: see `docs/compile-times.md`.
#![expect(unsafe_code, reason = "a box is an untyped pointer, dropped by a function that knows the type")]

use alloc::boxed::Box;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::removals::Removals;
use crate::storage::rule_state::RuleState;

/// A field of [`ColdFields`].
pub(super) trait ColdField: Sized {
    /// Gives a field the content for a copy of the column.
    fn assign(field: &mut ErasedBox<Self>, source: &Self);
    /// Gives back memory that the field does not need.
    fn shrink(&mut self);
    /// Called when all values of the column are dropped.
    fn clear(&mut self) {}
}

/// Fields that few columns use: the log of removed values and the rule's state. No unsafe code
/// relies on their presence.
#[repr(C)]
pub(super) struct ColdFields<T> {
    /// The removed values, if some schedule reads them.
    pub(super) removals: ErasedBox<Removals<T>>,
    /// The state of the component's rule, from the column's first value on.
    pub(super) rule_state: ErasedBox<Box<dyn RuleState<T>>>,
}

/// [`ColdFields`] without the type `T`.
///
/// # Invariants
/// Each value belongs to a column of one type `T`, and is accessed as `ColdFields<T>` of this `T`
/// only.
pub(super) struct ErasedColdFields([Option<Erased>; 2]);

impl ErasedColdFields {
    pub(super) const NONE: Self = Self([None, None]);

    /// The fields as those of a column of `T`.
    ///
    /// # Safety
    /// The value belongs to a column of `T`: it was never accessed with another type.
    pub(super) const unsafe fn of<T>(&self) -> &ColdFields<T> {
        // SAFETY: by `repr(C)` and `repr(transparent)`, `ColdFields<T>` is two `Option<Erased>`, as
        // `Self` is; their content belongs to `T` by the contract of this function.
        unsafe { &*(&raw const *self).cast() }
    }

    /// Copies the fields.
    ///
    /// # Safety
    /// Both values belong to columns of one type.
    pub(super) unsafe fn copy_from(&mut self, source: &Self) {
        for (field, source) in self.0.iter_mut().zip(&source.0) {
            match source {
                None => *field = None,
                // SAFETY: `source` is a box of the same field of a column of the same type.
                Some(source) => unsafe { (source.0.as_ref().functions.assign)(field, source.0) },
            }
        }
    }

    /// Gives back memory that the fields do not need.
    pub(super) fn shrink(&mut self) {
        for field in self.0.iter_mut().flatten() {
            // SAFETY: `ErasedBox::some` stored the functions of the type of the box; `&mut self`
            // makes the access unique.
            unsafe { (field.0.as_ref().functions.shrink)(field.0) }
        }
    }

    /// Tells the fields that all values of the column are dropped.
    pub(super) fn clear(&mut self) {
        for field in self.0.iter_mut().flatten() {
            // SAFETY: as in `shrink`.
            unsafe { (field.0.as_ref().functions.clear)(field.0) }
        }
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
    functions: &'static BoxFunctions,
}

/// The functions of a box of a type that is not known.
///
/// # Safety
/// The pointers come from `Box::into_raw` of a `Box<Held<X>>` of the type of these functions.
/// `drop` ends the box, the others borrow it.
struct BoxFunctions {
    drop: unsafe fn(NonNull<BoxHeader>),
    /// Calls [`ColdField::assign`] for a box of the same type, which may be empty.
    assign: unsafe fn(&mut Option<Erased>, NonNull<BoxHeader>),
    shrink: unsafe fn(NonNull<BoxHeader>),
    clear: unsafe fn(NonNull<BoxHeader>),
}

#[repr(C)]
struct Held<X> {
    header: BoxHeader,
    value: X,
}

impl Drop for Erased {
    fn drop(&mut self) {
        // SAFETY: `ErasedBox::some` made this pointer, and stored the functions of the same type in
        // the header; nothing uses the pointer after this drop.
        unsafe { (self.0.as_ref().functions.drop)(self.0) }
    }
}

/// # Safety
/// See [`BoxFunctions`].
unsafe fn drop_held<X>(held: NonNull<BoxHeader>) {
    // SAFETY: by the contract of this function, `held` is the pointer of a `Box<Held<X>>`.
    drop(unsafe { Box::from_raw(held.cast::<Held<X>>().as_ptr()) });
}

/// # Safety
/// See [`BoxFunctions`]. `field` is a box of the same type, or nothing.
unsafe fn assign_held<X: ColdField>(field: &mut Option<Erased>, source: NonNull<BoxHeader>) {
    // SAFETY: `ErasedBox<X>` is an `Option<Erased>` by `repr(transparent)`; by the contract of this
    // function, its content is of type `X`, and `source` is a box of `X`.
    let (field, source) = unsafe {
        (&mut *(&raw mut *field).cast::<ErasedBox<X>>(), &(*source.cast::<Held<X>>().as_ptr()).value)
    };
    X::assign(field, source);
}

/// # Safety
/// See [`BoxFunctions`]. Nothing else accesses the box.
unsafe fn shrink_held<X: ColdField>(held: NonNull<BoxHeader>) {
    // SAFETY: by the contract of this function.
    unsafe { &mut (*held.cast::<Held<X>>().as_ptr()).value }.shrink();
}

/// # Safety
/// See [`BoxFunctions`]. Nothing else accesses the box.
unsafe fn clear_held<X: ColdField>(held: NonNull<BoxHeader>) {
    // SAFETY: by the contract of this function.
    unsafe { &mut (*held.cast::<Held<X>>().as_ptr()).value }.clear();
}

impl<X> ErasedBox<X> {
    pub(super) const fn none() -> Self {
        Self { held: None, owns: PhantomData }
    }

    pub(super) fn some(value: X) -> Self
    where
        X: ColdField,
    {
        let functions = const {
            &BoxFunctions {
                drop: drop_held::<X>,
                assign: assign_held::<X>,
                shrink: shrink_held::<X>,
                clear: clear_held::<X>,
            }
        };
        let held = Box::into_raw(Box::new(Held { header: BoxHeader { functions }, value }));
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
        // SAFETY: `some` made the pointer from a `Box<Held<X>>`, and the reference lives as long as
        // the borrow of `self`.
        self.held.as_ref().map(|held| unsafe { &(*held.0.cast::<Held<X>>().as_ptr()).value })
    }

    pub(super) fn as_mut(&mut self) -> Option<&mut X> {
        // SAFETY: `some` made the pointer from a `Box<Held<X>>`; `&mut self` makes the reference
        // unique.
        self.held.as_mut().map(|held| unsafe { &mut (*held.0.cast::<Held<X>>().as_ptr()).value })
    }

    pub(super) fn get_or_insert_with(&mut self, value: impl FnOnce() -> X) -> &mut X
    where
        X: ColdField,
    {
        if self.is_none() {
            *self = Self::some(value());
        }
        self.as_mut().expect("the box was filled above")
    }
}

impl<T> ColdField for Box<dyn RuleState<T>> {
    fn assign(field: &mut ErasedBox<Self>, source: &Self) {
        *field = ErasedBox::some(source.copy());
    }

    fn shrink(&mut self) {
        (**self).shrink();
    }

    fn clear(&mut self) {
        (**self).clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::rc::Rc;
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

    impl<V: Clone> ColdField for Vec<V> {
        fn assign(field: &mut ErasedBox<Self>, source: &Self) {
            field.get_or_insert_with(Vec::new).clone_from(source);
        }

        fn shrink(&mut self) {
            self.shrink_to_fit();
        }
    }

    #[test]
    fn fields_are_copied_and_shrunk_without_their_types() {
        let of = |text: &[&'static str]| ErasedColdFields([ErasedBox::some(text.to_vec()).held, None]);
        let text = |fields: &ErasedColdFields| -> Option<Vec<&'static str>> {
            let boxed = fields.0[0].as_ref()?;
            // SAFETY: all boxes of this test are of this type.
            Some(unsafe { &(*boxed.0.cast::<Held<Vec<&'static str>>>().as_ptr()).value }.clone())
        };
        let (one, mut other) = (of(&["one"]), of(&["other", "more"]));
        // SAFETY: the boxes are of one type.
        unsafe { other.copy_from(&one) };
        assert_eq!((text(&one), text(&other)), (Some(vec!["one"]), Some(vec!["one"])));
        other.shrink();
        // SAFETY: the boxes are of one type.
        unsafe { other.copy_from(&ErasedColdFields::NONE) };
        assert_eq!(text(&other), None);
        // SAFETY: the boxes are of one type.
        unsafe { other.copy_from(&one) };
        drop(one);
        assert_eq!(text(&other), Some(vec!["one"]));
    }

    #[test]
    fn a_box_keeps_the_alignment_of_its_value() {
        #[repr(align(64))]
        struct Wide(u8);
        impl ColdField for Wide {
            fn assign(_: &mut ErasedBox<Self>, _: &Self) {}
            fn shrink(&mut self) {}
        }
        let boxed = ErasedBox::some(Wide(7));
        let value = boxed.as_ref().unwrap();
        assert_eq!((value.0, core::ptr::from_ref(value).addr() % 64), (7, 0));
    }
}
