//! Fields that few columns use, behind one pointer each.
//!
//! A column's code is compiled for each component. As an `Option<Box<..>>` of its own type, each
//! rarely used field would have its drop compiled for every component, a dozen functions for a
//! list. As a trait object, its functions are compiled only where a box is filled.
//!
//! This is done only for compile time: see `docs/compile-times.md`.
#![expect(unsafe_code, reason = "the type of a field's content follows from the type of its column")]

use alloc::boxed::Box;
use core::marker::PhantomData;
use core::ptr;

use super::removals::Removals;
use crate::storage::rule_state::RuleState;

/// The content of a field of [`ColdFields`].
pub(super) trait ColdField: Sized + 'static {
    /// Gives a field the content for a copy of the column.
    fn assign(field: &mut ErasedBox<Self>, source: &Self);
    /// Gives back memory that the content does not need.
    fn shrink(&mut self);
    /// Called when all values of the column are dropped.
    fn clear(&mut self) {}
}

/// A [`ColdField`] without its type.
trait AnyColdField {
    /// Calls [`ColdField::assign`].
    ///
    /// # Safety
    /// The field is empty, or has content of the type of `self`.
    unsafe fn copy_to(&self, field: &mut AnyField);
    fn shrink(&mut self);
    fn clear(&mut self);
}

impl<X: ColdField> AnyColdField for X {
    unsafe fn copy_to(&self, field: &mut AnyField) {
        // SAFETY: by `repr(transparent)` the field is an `ErasedBox`, and has an `X` or nothing by
        // the contract of this function.
        X::assign(unsafe { &mut *ptr::from_mut(field).cast() }, self);
    }

    fn shrink(&mut self) {
        ColdField::shrink(self);
    }

    fn clear(&mut self) {
        ColdField::clear(self);
    }
}

/// A field without its type.
type AnyField = Option<Box<dyn AnyColdField>>;

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
pub(super) struct ErasedColdFields([AnyField; 2]);

impl ErasedColdFields {
    pub(super) const NONE: Self = Self([None, None]);

    /// The fields as those of a column of `T`.
    ///
    /// # Safety
    /// The value belongs to a column of `T`: it was never accessed with another type.
    pub(super) const unsafe fn of<T>(&self) -> &ColdFields<T> {
        // SAFETY: by `repr(C)` and `repr(transparent)`, `ColdFields<T>` is two fields, as `Self`
        // is; their content belongs to `T` by the contract of this function.
        unsafe { &*(&raw const *self).cast() }
    }

    /// [`of`](Self::of), mutable.
    ///
    /// # Safety
    /// As for [`of`](Self::of).
    pub(super) const unsafe fn of_mut<T>(&mut self) -> &mut ColdFields<T> {
        // SAFETY: as in `of`; `&mut self` makes the reference unique.
        unsafe { &mut *(&raw mut *self).cast() }
    }

    /// Copies the fields.
    ///
    /// # Safety
    /// Both values belong to columns of one type.
    pub(super) unsafe fn copy_from(&mut self, source: &Self) {
        for (field, source) in self.0.iter_mut().zip(&source.0) {
            match source {
                None => *field = None,
                // SAFETY: `source` is the same field of a column of the same type.
                Some(source) => unsafe { source.copy_to(field) },
            }
        }
    }

    /// Gives back memory that the fields do not need.
    pub(super) fn shrink(&mut self) {
        self.0.iter_mut().flatten().for_each(|field| field.shrink());
    }

    /// Tells the fields that all values of the column are dropped.
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().flatten().for_each(|field| field.clear());
    }
}

const _: () = assert!(size_of::<ErasedColdFields>() == size_of::<ColdFields<()>>());

/// A box of `X`, or nothing: an `Option<Box<X>>` whose drop does not depend on `X`.
///
/// # Invariant
/// The content is an `X`.
#[repr(transparent)]
pub(super) struct ErasedBox<X> {
    held: AnyField,
    /// Owns an `X`.
    owns: PhantomData<X>,
}

impl<X> ErasedBox<X> {
    pub(super) const fn none() -> Self {
        Self { held: None, owns: PhantomData }
    }

    pub(super) fn some(value: X) -> Self
    where
        X: ColdField,
    {
        Self { held: Some(Box::new(value)), owns: PhantomData }
    }

    pub(super) const fn is_none(&self) -> bool {
        self.held.is_none()
    }

    /// Takes the content out, and leaves nothing.
    pub(super) const fn take(&mut self) -> Self {
        core::mem::replace(self, Self::none())
    }

    pub(super) fn as_ref(&self) -> Option<&X> {
        // SAFETY: the content is an `X`, which lives as long as the borrow of `self`.
        self.held.as_deref().map(|held| unsafe { &*ptr::from_ref(held).cast() })
    }

    pub(super) fn as_mut(&mut self) -> Option<&mut X> {
        // SAFETY: as in `as_ref`; `&mut self` makes the reference unique.
        self.held.as_deref_mut().map(|held| unsafe { &mut *ptr::from_mut(held).cast() })
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

impl<T: 'static> ColdField for Box<dyn RuleState<T>> {
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

    impl<V: Clone + 'static> ColdField for Vec<V> {
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
            let boxed = fields.0[0].as_deref()?;
            // SAFETY: all boxes of this test are of this type.
            Some(unsafe { &*ptr::from_ref(boxed).cast::<Vec<&'static str>>() }.clone())
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
