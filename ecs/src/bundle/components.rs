//! [`BundleComponents`]: the components of a bundle as nested tuples of [`OneComponent`], with the
//! functions that write them into the columns of a world and remove them.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.
#![expect(unsafe_code, reason = "a bulk write stores values at addresses before their mask bits are set")]

use core::any::Any;

use crate::base::component_set::ComponentSet;
use crate::base::page;
use crate::base::tuples::for_tuples;
use crate::component::Has;
use crate::component::requires::RequiredInserter;
use crate::entity::Entity;
use crate::entity::journal::RecordedAction;
use crate::error::Refused;
use crate::raw_world::{ComponentVisitor, RawWorld, Refuse, WorldFields, journal};
use crate::storage::column::Column;
use crate::storage::detached_columns::DetachedColumns;
use crate::storage::kind::ColumnKind;

/// One component of a bundle, as an element of [`BundleComponents`].
pub struct OneComponent<T>(pub T);

/// The components of a bundle: one component, or a nested tuple of them. Only the library
/// implements it.
///
/// # Safety
/// - `write` initialises the row of every column whose mask bits `commit` sets.
/// - `WORDS` divides the page length of every column, in words.
/// - Unless `GUARDED`, no component occurs twice: the addresses of [`rows`](Self::rows) are of
///   different columns. A second reservation in a packed column may move the values of the first.
/// - `Self` has components of `W` and no other fields, so that it is `Send` and `Sync` by the
///   contract of [`Has`].
pub unsafe trait BundleComponents<W: RawWorld>: Sized {
    /// The components of the bundle.
    const OWN: ComponentSet;
    /// The components of the bundle and those that they require.
    const SET: ComponentSet;
    /// Whether a component requires another component.
    const REQUIRES: bool;
    /// Whether a component has a rule, or occurs twice, as it can in a bundle that is implemented
    /// by hand: then entities are spawned one by one.
    const GUARDED: bool;
    /// Whether a rule may refuse a value.
    const REFUSES: bool;
    /// The function [`refuse`](Self::refuse), if a rule may refuse a value. A function constant:
    /// see `docs/compile-times.md`.
    const REFUSE: Option<Refuse<Self, W>> = if Self::REFUSES { Some(Self::refuse) } else { None };
    /// The number of words of 64 slots in a page of the column with the shortest pages.
    const WORDS: usize;
    /// An `Option` for each component.
    type Options;
    /// The addresses of the rows to write in bulk.
    type Rows: Copy;

    /// The reason for which a rule refuses a component for `entity`, or for a new entity; `None` if
    /// no rule does.
    fn refuse(&self, world: &mut W, entity: Option<Entity>) -> Option<Refused>;
    /// Inserts the components into a new entity, whose kind includes them.
    fn put_new(self, world: &mut W, entity: Entity);
    /// Inserts the components into a live entity, and returns the replaced values.
    fn put(self, world: &mut W, entity: Entity) -> Self::Options;
    /// Removes and returns the components of a live entity.
    fn take(world: &mut W, entity: Entity) -> Self::Options;
    /// Moves the components of one live entity to another one, and returns the values that they
    /// replace there.
    fn move_values(world: &mut W, from: Entity, to: Entity) -> Self::Options;
    /// No values.
    fn none() -> Self::Options;
    /// Calls `visitor` with the type of each component.
    fn visit(visitor: &mut impl ComponentVisitor<W>);
    /// The components, if none is missing.
    fn all(options: Self::Options) -> Option<Self>;
    /// Inserts the components that those of the bundle require.
    fn fill(inserter: &mut RequiredInserter<'_, W>);
    /// The value of the component with this index, if the bundle has the component.
    fn value(&self, component: usize) -> Option<&dyn Any>;
    /// Calls `each` with the index of each component, in the order of the bundle.
    fn each(each: &mut dyn FnMut(usize));
    /// Inserts the values into columns that belong to no world.
    fn scatter(self, slot: u32, to: &mut DetachedColumns);
    /// The index of the first component that the slot has, if `present`, or else that it lacks.
    fn find(world: &W, slot: u32, present: bool) -> Option<usize>;
    /// The addresses of `len` rows from `slot` on, all within one page of `WORDS` words.
    fn rows(world: &mut W, slot: u32, len: usize) -> Self::Rows;
    /// Writes the values at row `i`.
    ///
    /// # Safety
    /// `rows` has returned the addresses for more than `i` rows, and row `i` has no values.
    unsafe fn write(self, rows: Self::Rows, i: usize);
    /// Sets the mask bits of `len` rows from `slot` on.
    ///
    /// # Safety
    /// `write` has initialised these rows, whose addresses `rows` has returned.
    unsafe fn commit(world: &mut W, slot: u32, len: usize);
}

// SAFETY: there is one column: `write` initialises its row at the address from `reserve_run`, and
// `commit` sets its bits. `WORDS` is that of the column.
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
    fn refuse(&self, world: &mut W, entity: Option<Entity>) -> Option<Refused> {
        world.refuse(entity, &self.0)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_new(self, world: &mut W, entity: Entity) {
        // the usual component: two functions less to compile for each
        if const { W::JOURNAL == 0 && !W::Kind::TRACKED && !W::Kind::LOGGED && !W::Kind::GUARDED } {
            world.column_mut::<T>().insert_new(entity.slot(), self.0);
            return;
        }
        let (column, context) = world.change::<T>(entity);
        column.put_new::<W::Kind>(context, self.0);
        journal::record_unguarded::<W, T>(context, RecordedAction::Inserted(W::INDEX));
    }
    #[inline]
    fn put(self, world: &mut W, entity: Entity) -> Option<T> {
        world.put(entity, self.0)
    }
    #[inline]
    fn take(world: &mut W, entity: Entity) -> Option<T> {
        world.take::<T>(entity)
    }
    fn move_values(world: &mut W, from: Entity, to: Entity) -> Option<T> {
        world.move_value::<T>(from, to)
    }
    fn none() -> Option<T> {
        None
    }
    fn visit(visitor: &mut impl ComponentVisitor<W>) {
        visitor.visit::<T>();
    }
    fn all(option: Option<T>) -> Option<Self> {
        option.map(OneComponent)
    }
    #[inline(always)]
    fn fill(inserter: &mut RequiredInserter<'_, W>) {
        inserter.fill::<T>();
    }
    fn value(&self, component: usize) -> Option<&dyn Any> {
        if component == W::INDEX { Some(&self.0) } else { None }
    }
    fn each(each: &mut dyn FnMut(usize)) {
        each(W::INDEX);
    }
    fn scatter(self, slot: u32, to: &mut DetachedColumns) {
        drop(to.of::<T>(W::INDEX).insert(slot, self.0));
    }
    fn find(world: &W, slot: u32, present: bool) -> Option<usize> {
        (world.column::<T>().contains(slot) == present).then_some(W::INDEX)
    }
    #[inline]
    fn rows(world: &mut W, slot: u32, len: usize) -> *mut T {
        world.column_mut::<T>().reserve_run(slot, len)
    }
    #[inline(always)]
    unsafe fn write(self, rows: *mut T, i: usize) {
        // SAFETY: by the caller's contract row `i` is within the rows that `rows` has reserved.
        unsafe { rows.add(i).write(self.0) };
    }
    unsafe fn commit(world: &mut W, slot: u32, len: usize) {
        // SAFETY: by the caller's contract `write` has initialised these rows.
        unsafe { world.column_mut::<T>().set_written(slot, len) };
        note_run::<W, T>(world, slot, len);
    }
}

/// Notes, in the stamps and in the journal, that new entities in `len` slots from `slot` on got
/// values of `T`.
pub(super) fn note_run<W: Has<T>, T: 'static>(world: &mut W, slot: u32, len: usize) {
    if W::Kind::TRACKED {
        let (column, entities) = world.column_and_entities::<T>();
        column.stamp_run(slot, len, entities.tick());
    }
    if const { W::JOURNAL > 0 } {
        for slot in slot..slot + len as u32 {
            journal::record_at(world, RecordedAction::Inserted(W::INDEX), slot);
        }
    }
}

macro_rules! component_tuples {
    ($($name:ident $index:tt)*) => {
        // SAFETY: every member upholds the contract for its own columns, and `GUARDED` is set if
        // two members have a column in common; `WORDS` is the smallest of the members, all of which
        // are powers of two.
        #[allow(unused_variables, unused_mut, unused_unsafe, clippy::unused_unit)]
        unsafe impl<W: RawWorld, $($name: BundleComponents<W>),*> BundleComponents<W> for ($($name,)*) {
            const OWN: ComponentSet = ComponentSet::EMPTY$(.or($name::OWN))*;
            const SET: ComponentSet = ComponentSet::EMPTY$(.or($name::SET))*;
            const REQUIRES: bool = false $(|| $name::REQUIRES)*;
            const GUARDED: bool = {
                let (mut guarded, mut before) = (false, ComponentSet::EMPTY);
                $(
                    guarded |= $name::GUARDED || before.meets(&$name::OWN);
                    before = before.or($name::OWN);
                )*
                let _ = before;
                guarded
            };
            const REFUSES: bool = false $(|| $name::REFUSES)*;
            const WORDS: usize = {
                let mut words = page::MAX_WORDS;
                $(if $name::WORDS < words { words = $name::WORDS; })*
                words
            };
            type Options = ($($name::Options,)*);
            type Rows = ($($name::Rows,)*);

            #[inline]
            fn refuse(&self, world: &mut W, entity: Option<Entity>) -> Option<Refused> {
                $(if let Some(refused) = self.$index.refuse(world, entity) {
                    return Some(refused);
                })*
                None
            }
            #[inline(always)]
            fn put_new(self, world: &mut W, entity: Entity) {
                $(self.$index.put_new(world, entity);)*
            }
            #[inline]
            fn put(self, world: &mut W, entity: Entity) -> Self::Options {
                ($(self.$index.put(world, entity),)*)
            }
            #[inline]
            fn take(world: &mut W, entity: Entity) -> Self::Options {
                ($($name::take(world, entity),)*)
            }
            fn move_values(world: &mut W, from: Entity, to: Entity) -> Self::Options {
                ($($name::move_values(world, from, to),)*)
            }
            fn none() -> Self::Options {
                ($($name::none(),)*)
            }
            fn visit(visitor: &mut impl ComponentVisitor<W>) {
                $($name::visit(visitor);)*
            }
            fn all(options: Self::Options) -> Option<Self> {
                Some(($($name::all(options.$index)?,)*))
            }
            #[inline(always)]
            fn fill(inserter: &mut RequiredInserter<'_, W>) {
                $($name::fill(inserter);)*
            }
            fn value(&self, component: usize) -> Option<&dyn Any> {
                None$(.or_else(|| self.$index.value(component)))*
            }
            fn each(each: &mut dyn FnMut(usize)) {
                $($name::each(each);)*
            }
            fn scatter(self, slot: u32, to: &mut DetachedColumns) {
                $(self.$index.scatter(slot, to);)*
            }
            fn find(world: &W, slot: u32, present: bool) -> Option<usize> {
                None$(.or_else(|| $name::find(world, slot, present)))*
            }
            #[inline]
            fn rows(world: &mut W, slot: u32, len: usize) -> Self::Rows {
                ($($name::rows(world, slot, len),)*)
            }
            #[inline(always)]
            unsafe fn write(self, rows: Self::Rows, i: usize) {
                // SAFETY: the caller's contract holds for every member.
                unsafe { $(self.$index.write(rows.$index, i);)* }
            }
            unsafe fn commit(world: &mut W, slot: u32, len: usize) {
                // SAFETY: the caller's contract holds for every member.
                unsafe { $($name::commit(world, slot, len);)* }
            }
        }
    };
}

component_tuples!();
for_tuples!(component_tuples);
