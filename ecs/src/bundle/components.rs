//! [`BundleComponents`]: the components of a bundle as nested tuples of [`OneComponent`], with the functions that write them into the columns of a
//! world and remove them.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see `docs/compile-times.md`.
#![expect(unsafe_code, reason = "a bulk write stores values at addresses before their mask bits are set")]

use crate::base::component_set::ComponentSet;
use crate::base::page;
use crate::component::Has;
use crate::component::requires::{RequiredInserter, WorldKind};
use crate::entity::Entity;
use crate::entity::journal::RecordedAction;
use crate::error::Refused;
use crate::raw_world::{RawWorld, Refuse, WorldCell, journal};
use crate::storage::column::Column;
use crate::storage::detached_columns::DetachedColumns;
use crate::storage::kind::ColumnKind;
use crate::storage::rules::Rule;

/// One component of a bundle, as an element of [`BundleComponents`].
pub struct OneComponent<T>(pub T);

/// The components of a bundle: one component, or a nested tuple of them. Only the library implements it.
///
/// # Safety
/// - `write` initialises the row of every column whose mask bits `commit` sets.
/// - `WORDS` divides the page length of every column, in words.
/// - `value` returns the address of the value of the component with that index, within `self`.
/// - The functions access only the columns of the components, and give the cell to no other code.
/// - `Self` has components of `W` and no other fields, so that it is `Send` and `Sync` by the contract of [`Has`].
pub unsafe trait BundleComponents<W: RawWorld>: Sized {
    /// The components of the bundle.
    const OWN: ComponentSet;
    /// The components of the bundle and those that they require.
    const SET: ComponentSet;
    /// Whether a component requires another component.
    const REQUIRES: bool;
    /// Whether a component has a rule, and must be inserted one by one.
    const GUARDED: bool;
    /// Whether a rule may refuse a value.
    const REFUSES: bool;
    /// The function [`refuse`](Self::refuse), if a rule may refuse a value. A function constant: see `docs/compile-times.md`.
    const REFUSE: Option<Refuse<Self, W>> = if Self::REFUSES { Some(Self::refuse) } else { None };
    /// The number of words of 64 slots in a page of the column with the shortest pages.
    const WORDS: usize;
    /// An `Option` for each component.
    type Options;
    /// The addresses of the rows to write in bulk.
    type Rows: Copy;

    /// The reason for which a rule refuses a component for `entity`, or for a new entity; `None` if no rule does.
    #[doc(hidden)]
    ///
    /// # Safety
    /// The contract of [`WorldCell::put`].
    unsafe fn refuse(&self, world: WorldCell<'_, W>, entity: Option<Entity>) -> Option<Refused>;
    /// Inserts the components into a new entity, whose kind includes them.
    #[doc(hidden)]
    ///
    /// # Safety
    /// The contract of [`WorldCell::put`].
    unsafe fn put_new(self, world: WorldCell<'_, W>, slot: u32);
    /// Inserts the components at a slot, and returns the replaced values.
    #[doc(hidden)]
    ///
    /// # Safety
    /// The contract of [`WorldCell::put`].
    unsafe fn put(self, world: WorldCell<'_, W>, slot: u32) -> Self::Options;
    /// Removes and returns the components of a slot.
    #[doc(hidden)]
    ///
    /// # Safety
    /// The contract of [`WorldCell::put`].
    unsafe fn take(world: WorldCell<'_, W>, slot: u32) -> Self::Options;
    /// The components, if none is missing.
    #[doc(hidden)]
    fn all(options: Self::Options) -> Option<Self>;
    /// Inserts the components that those of the bundle require.
    #[doc(hidden)]
    fn fill(inserter: &mut RequiredInserter<'_, W>);
    /// The address of the value of the component with this index, if the bundle has the component.
    #[doc(hidden)]
    fn value(&self, component: usize) -> Option<*const ()>;
    /// Calls `each` with the index of each component, in the order of the bundle.
    #[doc(hidden)]
    fn each(each: &mut dyn FnMut(usize));
    /// Inserts the values into columns that belong to no world.
    #[doc(hidden)]
    fn scatter(self, slot: u32, to: &mut DetachedColumns);
    /// The index of the first component that the slot has, if `present`, or else that it lacks.
    #[doc(hidden)]
    ///
    /// # Safety
    /// The contract of [`WorldCell::has`], for each component.
    unsafe fn find(world: WorldCell<'_, W>, slot: u32, present: bool) -> Option<usize>;
    /// The addresses of `len` rows from `slot` on, all within one page of `WORDS` words.
    #[doc(hidden)]
    ///
    /// # Safety
    /// The contract of [`WorldCell::put`].
    unsafe fn rows(world: WorldCell<'_, W>, slot: u32, len: usize) -> Self::Rows;
    /// Writes the values at row `i`.
    ///
    /// # Safety
    /// `rows` has returned the addresses for more than `i` rows, and row `i` has no values.
    #[doc(hidden)]
    unsafe fn write(self, rows: Self::Rows, i: usize);
    /// Sets the mask bits of `len` rows from `slot` on.
    ///
    /// # Safety
    /// The contract of [`WorldCell::put`]; and `write` has initialised these rows.
    #[doc(hidden)]
    unsafe fn commit(world: WorldCell<'_, W>, slot: u32, len: usize);
}

// SAFETY: there is one column: `write` initialises its row at the address from `reserve_run`, and `commit` sets its bits. `WORDS` is that
// of the column, and `value` returns the address of the only field.
unsafe impl<T: 'static, W: Has<T>> BundleComponents<W> for OneComponent<T> {
    const OWN: ComponentSet = ComponentSet::EMPTY.with(W::INDEX);
    const SET: ComponentSet = W::CLOSURES[W::INDEX];
    const REQUIRES: bool = !W::REQUIRES[W::INDEX].is_empty();
    const GUARDED: bool = W::Kind::GUARDED;
    const REFUSES: bool = W::Kind::REFUSES;
    const WORDS: usize = Column::<T>::WORDS;
    type Options = Option<T>;
    type Rows = *mut T;

    #[inline]
    unsafe fn refuse(&self, world: WorldCell<'_, W>, entity: Option<Entity>) -> Option<Refused> {
        // SAFETY: the caller's contract is that of `put`, so that no reference to the column is used.
        unsafe { world.refuse(entity, &self.0) }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn put_new(self, world: WorldCell<'_, W>, slot: u32) {
        // SAFETY: by the contract of `put` no reference to the column is used; the caller has written these rows.
        let column = unsafe { world.column_mut::<T>() };
        if let Some(insert) = const { Rule::<T, W::Kind>::INSERT } {
            insert(column, world.context::<T>(slot), self.0);
            return;
        }
        column.insert_new(slot, self.0);
        journal::record_at(world, RecordedAction::Inserted(W::INDEX), slot);
        if W::Kind::TRACKED {
            column.stamp(slot, world.this_run(), true);
        }
        if let Some(note_added) = const { Rule::<T, W::Kind>::NOTE_ADDED } {
            note_added(column, slot);
        }
    }
    #[inline]
    unsafe fn put(self, world: WorldCell<'_, W>, slot: u32) -> Option<T> {
        // SAFETY: the caller's contract is that of `put`, so that no reference to the column is used.
        unsafe { world.put(slot, self.0) }
    }
    #[inline]
    unsafe fn take(world: WorldCell<'_, W>, slot: u32) -> Option<T> {
        // SAFETY: the caller's contract is that of `put`, so that no reference to the column is used.
        unsafe { world.take(slot) }
    }
    fn all(option: Option<T>) -> Option<Self> {
        option.map(OneComponent)
    }
    #[inline(always)]
    fn fill(inserter: &mut RequiredInserter<'_, W>) {
        W::Kind::fill(inserter);
    }
    fn value(&self, component: usize) -> Option<*const ()> {
        (component == W::INDEX).then(|| core::ptr::from_ref(&self.0).cast())
    }
    fn each(each: &mut dyn FnMut(usize)) {
        each(W::INDEX);
    }
    fn scatter(self, slot: u32, to: &mut DetachedColumns) {
        drop(to.of::<T>(W::INDEX).insert(slot, self.0));
    }
    unsafe fn find(world: WorldCell<'_, W>, slot: u32, present: bool) -> Option<usize> {
        // SAFETY: the caller's contract is that of `has`.
        (unsafe { world.has::<T>(slot) } == present).then_some(W::INDEX)
    }
    #[inline]
    unsafe fn rows(world: WorldCell<'_, W>, slot: u32, len: usize) -> *mut T {
        // SAFETY: the caller's contract is that of `put`, so that no reference to the column is used.
        unsafe { world.column_mut::<T>() }.reserve_run(slot, len)
    }
    #[inline(always)]
    unsafe fn write(self, rows: *mut T, i: usize) {
        // SAFETY: by the caller's contract row `i` is within the rows that `rows` has reserved.
        unsafe { rows.add(i).write(self.0) };
    }
    unsafe fn commit(world: WorldCell<'_, W>, slot: u32, len: usize) {
        // SAFETY: by the contract of `put` no reference to the column is used; the caller has written these rows.
        let column = unsafe {
            let column = world.column_mut::<T>();
            column.set_written(slot, len);
            column
        };
        if W::Kind::TRACKED {
            column.stamp_run(slot, len, world.this_run());
        }
        if const { W::JOURNAL > 0 } {
            for slot in slot..slot + len as u32 {
                journal::record_at(world, RecordedAction::Inserted(W::INDEX), slot);
            }
        }
    }
}

macro_rules! component_tuples {
    ($($name:ident $index:tt),+) => {
        // SAFETY: every member upholds the contract for its own columns; `WORDS` is the smallest of the members, all of which are powers
        // of two.
        #[allow(non_snake_case)]
        unsafe impl<W: RawWorld, $($name: BundleComponents<W>),+> BundleComponents<W> for ($($name,)+) {
            const OWN: ComponentSet = ComponentSet::EMPTY$(.or($name::OWN))+;
            const SET: ComponentSet = ComponentSet::EMPTY$(.or($name::SET))+;
            const REQUIRES: bool = $($name::REQUIRES)||+;
            const GUARDED: bool = $($name::GUARDED)||+;
            const REFUSES: bool = $($name::REFUSES)||+;
            const WORDS: usize = {
                let mut words = page::MAX_WORDS;
                $(if $name::WORDS < words { words = $name::WORDS; })+
                words
            };
            type Options = ($($name::Options,)+);
            type Rows = ($($name::Rows,)+);

            #[inline]
            unsafe fn refuse(&self, world: WorldCell<'_, W>, entity: Option<Entity>) -> Option<Refused> {
                // SAFETY: the caller's contract holds for every member.
                None$(.or_else(|| unsafe { self.$index.refuse(world, entity) }))+
            }
            #[inline(always)]
            unsafe fn put_new(self, world: WorldCell<'_, W>, slot: u32) {
                // SAFETY: the caller's contract holds for every member.
                unsafe { $(self.$index.put_new(world, slot);)+ }
            }
            #[inline]
            unsafe fn put(self, world: WorldCell<'_, W>, slot: u32) -> Self::Options {
                // SAFETY: the caller's contract holds for every member.
                unsafe { ($(self.$index.put(world, slot),)+) }
            }
            #[inline]
            unsafe fn take(world: WorldCell<'_, W>, slot: u32) -> Self::Options {
                // SAFETY: the caller's contract holds for every member.
                unsafe { ($($name::take(world, slot),)+) }
            }
            fn all(options: Self::Options) -> Option<Self> {
                Some(($($name::all(options.$index)?,)+))
            }
            #[inline(always)]
            fn fill(inserter: &mut RequiredInserter<'_, W>) {
                $($name::fill(inserter);)+
            }
            fn value(&self, component: usize) -> Option<*const ()> {
                None$(.or_else(|| self.$index.value(component)))+
            }
            fn each(each: &mut dyn FnMut(usize)) {
                $($name::each(each);)+
            }
            fn scatter(self, slot: u32, to: &mut DetachedColumns) {
                $(self.$index.scatter(slot, to);)+
            }
            unsafe fn find(world: WorldCell<'_, W>, slot: u32, present: bool) -> Option<usize> {
                // SAFETY: the caller's contract holds for every member.
                None$(.or_else(|| unsafe { $name::find(world, slot, present) }))+
            }
            #[inline]
            unsafe fn rows(world: WorldCell<'_, W>, slot: u32, len: usize) -> Self::Rows {
                // SAFETY: the caller's contract holds for every member.
                unsafe { ($($name::rows(world, slot, len),)+) }
            }
            #[inline(always)]
            unsafe fn write(self, rows: Self::Rows, i: usize) {
                // SAFETY: the caller's contract holds for every member.
                unsafe { $(self.$index.write(rows.$index, i);)+ }
            }
            unsafe fn commit(world: WorldCell<'_, W>, slot: u32, len: usize) {
                // SAFETY: the caller's contract holds for every member.
                unsafe { $($name::commit(world, slot, len);)+ }
            }
        }
    };
}

// SAFETY: there is no column, and `value` returns no address.
unsafe impl<W: RawWorld> BundleComponents<W> for () {
    const OWN: ComponentSet = ComponentSet::EMPTY;
    const SET: ComponentSet = ComponentSet::EMPTY;
    const REQUIRES: bool = false;
    const GUARDED: bool = false;
    const REFUSES: bool = false;
    const WORDS: usize = page::MAX_WORDS;
    type Options = ();
    type Rows = ();

    unsafe fn refuse(&self, _: WorldCell<'_, W>, _: Option<Entity>) -> Option<Refused> {
        None
    }
    unsafe fn put_new(self, _: WorldCell<'_, W>, _: u32) {}
    unsafe fn put(self, _: WorldCell<'_, W>, _: u32) {}
    unsafe fn take(_: WorldCell<'_, W>, _: u32) {}
    fn all((): ()) -> Option<Self> {
        Some(())
    }
    fn fill(_: &mut RequiredInserter<'_, W>) {}
    fn value(&self, _: usize) -> Option<*const ()> {
        None
    }
    fn each(_: &mut dyn FnMut(usize)) {}
    fn scatter(self, _: u32, _: &mut DetachedColumns) {}
    unsafe fn find(_: WorldCell<'_, W>, _: u32, _: bool) -> Option<usize> {
        None
    }
    unsafe fn rows(_: WorldCell<'_, W>, _: u32, _: usize) {}
    unsafe fn write(self, (): (), _: usize) {}
    unsafe fn commit(_: WorldCell<'_, W>, _: u32, _: usize) {}
}

macro_rules! all_component_tuples {
    (@ [$($done:ident $at:tt),*]) => {};
    (@ [$($done:ident $at:tt),*] $name:ident $index:tt $($more:tt)*) => {
        component_tuples!($($done $at,)* $name $index);
        all_component_tuples!(@ [$($done $at,)* $name $index] $($more)*);
    };
}
all_component_tuples!(@ [] A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11);
