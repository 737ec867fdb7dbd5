//! What bundles fall into, and what the world does with it.
#![expect(unsafe_code, reason = "bulk writes go through addresses before the bits are set")]

use crate::base::component_set::ComponentSet;
use crate::base::page;
use crate::component::Has;
use crate::component::requires::{RequiredInserter, WorldKind};
use crate::entity::Entity;
use crate::error::Refused;
use crate::storage::column::Column;
use crate::storage::detached_columns::DetachedColumns;
use crate::storage::kind::ColumnKind;
use crate::storage::rules::Rule;
use crate::world::{Refuse, World, WorldCell};

/// A component as a part of a bundle.
pub struct One<T>(pub T);

/// One component, or a tuple of parts. Implemented by the library alone.
///
/// # Safety
/// `write` initialises the row of every column that `commit` then marks; `WORDS` divides their page lengths; `value` gives
/// the address of a value of the component that has the index, within `self`. The functions use the cell for what
/// their names say, and keep it to themselves. The parts hold components of `W` and nothing
/// else, so that they are `Send` and `Sync` by the contract of [`Has`].
pub unsafe trait BundleComponents<W: World>: Sized {
    /// The components.
    const OWN: ComponentSet;
    /// The components and what they require.
    const SET: ComponentSet;
    /// Whether any of them requires another component.
    const REQUIRES: bool;
    /// Whether any of them has a rule, and must be put one by one.
    const GUARDED: bool;
    /// Whether such a rule may say no.
    const REFUSES: bool;
    /// Why `entity`, or a new one, cannot have one of the parts, if a rule may say no.
    const REFUSE: Option<Refuse<Self, W>> = if Self::REFUSES { Some(Self::refuse) } else { None };
    /// How many words of slots are in one page of every column.
    const WORDS: usize;
    /// An `Option` for each component.
    type Options;
    /// The addresses of the rows to write in bulk.
    type Rows: Copy;

    /// Why `entity`, or a new one, cannot have one of the parts.
    #[doc(hidden)]
    ///
    /// # Safety
    /// As for [`WorldCell::put`].
    unsafe fn refuse(&self, world: WorldCell<'_, W>, entity: Option<Entity>) -> Option<Refused>;
    /// Gives a new entity what it is spawned with, which its block is known to hold.
    #[doc(hidden)]
    ///
    /// # Safety
    /// As for [`WorldCell::put`].
    unsafe fn put_new(self, world: WorldCell<'_, W>, slot: u32);
    #[doc(hidden)]
    /// # Safety
    /// As for [`WorldCell::put`].
    unsafe fn put(self, world: WorldCell<'_, W>, slot: u32) -> Self::Options;
    #[doc(hidden)]
    /// # Safety
    /// As for [`WorldCell::put`].
    unsafe fn take(world: WorldCell<'_, W>, slot: u32) -> Self::Options;
    /// The parts, if none is missing.
    #[doc(hidden)]
    fn all(options: Self::Options) -> Option<Self>;
    #[doc(hidden)]
    fn fill(filler: &mut RequiredInserter<'_, W>);
    /// The address of the value of the component with this index, if it is one of the parts.
    #[doc(hidden)]
    fn value(&self, component: usize) -> Option<*const ()>;
    /// The indices of the components, in the order of the bundle.
    #[doc(hidden)]
    fn each(each: &mut dyn FnMut(usize));
    /// Puts the values into columns that belong to no world.
    #[doc(hidden)]
    fn scatter(self, slot: u32, to: &mut DetachedColumns);
    /// The index of the first component that the slot has, or has not.
    #[doc(hidden)]
    ///
    /// # Safety
    /// As for [`WorldCell::has`], of each component.
    unsafe fn find(world: WorldCell<'_, W>, slot: u32, present: bool) -> Option<usize>;
    /// Addresses for `len` rows from `slot` on, all within `WORDS` words.
    #[doc(hidden)]
    ///
    /// # Safety
    /// As for [`WorldCell::put`].
    unsafe fn rows(world: WorldCell<'_, W>, slot: u32, len: usize) -> Self::Rows;
    /// # Safety
    /// Row `i` is within what `rows` was asked for, and holds nothing.
    #[doc(hidden)]
    unsafe fn write(self, rows: Self::Rows, i: usize);
    /// # Safety
    /// As for [`WorldCell::put`]; and the `len` rows from `slot` on were written.
    #[doc(hidden)]
    unsafe fn commit(world: WorldCell<'_, W>, slot: u32, len: usize);
}

// SAFETY: one column, one address.
unsafe impl<T: 'static, W: Has<T>> BundleComponents<W> for One<T> {
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
        // SAFETY: the caller's promise.
        unsafe { world.refuse(entity, &self.0) }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn put_new(self, world: WorldCell<'_, W>, slot: u32) {
        // SAFETY: the caller's promise.
        let column = unsafe { world.column_mut::<T>() };
        if let Some(insert) = const { Rule::<T, W::Kind>::INSERT } {
            insert(column, world.context::<T>(slot), self.0);
            return;
        }
        column.insert_new(slot, self.0);
        if W::Kind::TRACKED {
            column.stamp(slot, world.this_run(), true);
        }
        if let Some(note_added) = const { Rule::<T, W::Kind>::NOTE_ADDED } {
            note_added(column, slot);
        }
    }
    #[inline]
    unsafe fn put(self, world: WorldCell<'_, W>, slot: u32) -> Option<T> {
        // SAFETY: the caller's promise.
        unsafe { world.put(slot, self.0) }
    }
    #[inline]
    unsafe fn take(world: WorldCell<'_, W>, slot: u32) -> Option<T> {
        // SAFETY: the caller's promise.
        unsafe { world.take(slot) }
    }
    fn all(option: Option<T>) -> Option<Self> {
        option.map(One)
    }
    #[inline(always)]
    fn fill(filler: &mut RequiredInserter<'_, W>) {
        W::Kind::fill(filler);
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
        // SAFETY: the caller's promise.
        (unsafe { world.has::<T>(slot) } == present).then_some(W::INDEX)
    }
    #[inline]
    unsafe fn rows(world: WorldCell<'_, W>, slot: u32, len: usize) -> *mut T {
        // SAFETY: the caller's promise.
        unsafe { world.column_mut::<T>() }.reserve_run(slot, len)
    }
    #[inline(always)]
    unsafe fn write(self, rows: *mut T, i: usize) {
        // SAFETY: the caller's promise.
        unsafe { rows.add(i).write(self.0) };
    }
    unsafe fn commit(world: WorldCell<'_, W>, slot: u32, len: usize) {
        // SAFETY: the caller's promise.
        let column = unsafe {
            let column = world.column_mut::<T>();
            column.set_written(slot, len);
            column
        };
        if W::Kind::TRACKED {
            column.stamp_run(slot, len, world.this_run());
        }
    }
}

macro_rules! part_tuples {
    ($($name:ident $index:tt),+) => {
        // SAFETY: every part keeps its own contract; the shortest page counts.
        #[allow(non_snake_case)]
        unsafe impl<W: World, $($name: BundleComponents<W>),+> BundleComponents<W> for ($($name,)+) {
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
                // SAFETY: the caller's promise covers every part.
                None$(.or_else(|| unsafe { self.$index.refuse(world, entity) }))+
            }
            #[inline(always)]
            unsafe fn put_new(self, world: WorldCell<'_, W>, slot: u32) {
                // SAFETY: the caller's promise covers every part.
                unsafe { $(self.$index.put_new(world, slot);)+ }
            }
            #[inline]
            unsafe fn put(self, world: WorldCell<'_, W>, slot: u32) -> Self::Options {
                // SAFETY: the caller's promise covers every part.
                unsafe { ($(self.$index.put(world, slot),)+) }
            }
            #[inline]
            unsafe fn take(world: WorldCell<'_, W>, slot: u32) -> Self::Options {
                // SAFETY: the caller's promise covers every part.
                unsafe { ($($name::take(world, slot),)+) }
            }
            fn all(options: Self::Options) -> Option<Self> {
                Some(($($name::all(options.$index)?,)+))
            }
            #[inline(always)]
            fn fill(filler: &mut RequiredInserter<'_, W>) {
                $($name::fill(filler);)+
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
                // SAFETY: the caller's promise covers every part.
                None$(.or_else(|| unsafe { $name::find(world, slot, present) }))+
            }
            #[inline]
            unsafe fn rows(world: WorldCell<'_, W>, slot: u32, len: usize) -> Self::Rows {
                // SAFETY: the caller's promise covers every part.
                unsafe { ($($name::rows(world, slot, len),)+) }
            }
            #[inline(always)]
            unsafe fn write(self, rows: Self::Rows, i: usize) {
                // SAFETY: the caller's promise covers every part.
                unsafe { $(self.$index.write(rows.$index, i);)+ }
            }
            unsafe fn commit(world: WorldCell<'_, W>, slot: u32, len: usize) {
                // SAFETY: the caller's promise covers every part.
                unsafe { $($name::commit(world, slot, len);)+ }
            }
        }
    };
}

// SAFETY: no column is marked.
unsafe impl<W: World> BundleComponents<W> for () {
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

macro_rules! all_part_tuples {
    (@ [$($done:ident $at:tt),*]) => {};
    (@ [$($done:ident $at:tt),*] $name:ident $index:tt $($more:tt)*) => {
        part_tuples!($($done $at,)* $name $index);
        all_part_tuples!(@ [$($done $at,)* $name $index] $($more)*);
    };
}
all_part_tuples!(@ [] A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11);
