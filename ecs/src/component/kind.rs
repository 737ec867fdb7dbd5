//! The kinds of components, as types: whether a component has a value, whether its changes are tracked, whether removed values are
//! kept. The options of `#[derive(Component)]` select the kind.
//!
//! The constants of [`ComponentKind`] turn features on and off at compile time, so that a component pays only for the options that
//! it has. Soundness does not rely on them, since a user can implement `Component` by hand with any kind.

use core::marker::PhantomData;

use super::IsComponent;
use crate::base::tick::Ticks;
use crate::change::{Mut, Ref};
use crate::component::immutable::{Immutable, TrackedImmutable};
use crate::query::change::TrackedColumn;
use crate::query::data::Data;
use crate::query::slots::RequiredColumn;
use crate::storage::column::Column;
use crate::storage::kind::ColumnKind;

/// A component with a value that is not tracked, so that `&mut T` may change it.
pub struct Value;

/// A component without a value.
pub struct Tag;

/// A component with a value whose changes are tracked.
pub struct Tracked;

/// A component without a value that stores the tick at which it was added.
pub struct TrackedTag;

/// A component with an index, which finds entities by the value. All changes are tracked, so that the index sees them.
pub struct IndexedValue;

/// A component with a key: no two entities have equal values, so that a value is replaced and never changed in place.
pub struct KeyValue;

/// The kind of a type that is not a component. It has every property, so that the mistake causes no second error.
pub struct AnyKind;

/// A component of kind `K` whose removed values are kept for readers, at most `MOST` of them.
pub struct Logged<K, const MOST: usize>(PhantomData<fn() -> K>);

/// Seals [`ComponentKind`]: views rely on the query elements that these kinds name.
pub trait SealedKind {}

/// The properties of a component, as constants and types.
pub trait ComponentKind: ColumnKind + SealedKind + Sized + 'static {
    /// Whether the component excludes other components.
    const EXCLUDES: bool = false;
    /// The query element that borrows a value mutably, or shared if values are not changed in place.
    type Unique<T: 'static>: Data;
    #[doc(hidden)]
    fn unique<T: 'static>(
        column: &mut Column<T>,
        slot: u32,
        ticks: Ticks,
    ) -> Option<<Self::Unique<T> as Data>::Item<'_>>;
    #[doc(hidden)]
    fn columns<T: 'static>(column: &mut Column<T>, ticks: Ticks) -> <Self::Unique<T> as Data>::Columns;
}

/// The query element that borrows a `T` mutably: `&mut T`, or [`Mut<T>`](Mut) of a tracked component; `&T` of a key.
pub(crate) type Unique<T> = <<T as IsComponent>::Kind as ComponentKind>::Unique<T>;

/// The item of the query element [`Unique<T>`](Unique).
pub(crate) type UniqueItem<'w, T> = <Unique<T> as Data>::Item<'w>;

macro_rules! kinds {
    ($($kind:ident: $tracked:literal, $indexed:literal, $element:ty, |$column:ident, $slot:ident, $ticks:ident| $unique:expr, $columns:expr;)*) => {$(
        impl SealedKind for $kind {}
        impl ColumnKind for $kind {
            const TRACKED: bool = $tracked;
            const INDEXED: bool = $indexed;
        }
        impl ComponentKind for $kind {
            type Unique<T: 'static> = $element;
            #[inline(always)]
            #[allow(unused_variables)]
            fn unique<T: 'static>(
                $column: &mut Column<T>,
                $slot: u32,
                $ticks: Ticks,
            ) -> Option<<Self::Unique<T> as Data>::Item<'_>> {
                $unique
            }
            #[inline(always)]
            #[allow(unused_variables)]
            fn columns<T: 'static>(
                $column: &mut Column<T>,
                $ticks: Ticks,
            ) -> <Self::Unique<T> as Data>::Columns {
                $columns
            }
        }
    )*};
}

kinds! {
    Value: false, false, &'static mut T, |column, slot, ticks| column.get_mut(slot), RequiredColumn(column.raw());
    Tag: false, false, &'static mut T, |column, slot, ticks| column.get_mut(slot), RequiredColumn(column.raw());
    Tracked: true, false, Mut<'static, T>,
        |column, slot, ticks| column.get_tracked(slot, ticks), TrackedColumn::new(column, ticks);
    IndexedValue: true, true, Mut<'static, T>,
        |column, slot, ticks| column.get_tracked(slot, ticks), TrackedColumn::new(column, ticks);
    KeyValue: false, false, &'static T, |column, slot, ticks| column.get(slot), RequiredColumn(column.raw());
    TrackedTag: true, false, Mut<'static, T>,
        |column, slot, ticks| column.get_tracked(slot, ticks), TrackedColumn::new(column, ticks);
    Immutable: false, false, &'static T, |column, slot, ticks| column.get(slot), RequiredColumn(column.raw());
    AnyKind: false, false, &'static mut T, |column, slot, ticks| column.get_mut(slot), RequiredColumn(column.raw());
    TrackedImmutable: true, false, Ref<'static, T>,
        |column, slot, ticks| column.get_ref(slot, ticks), TrackedColumn::new(column, ticks);
}

/// A kind of component that has a value, which can be changed.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: `{T}` is a tag and has no value that could be changed",
    label = "a tag has no fields: nothing to borrow mutably",
    note = "ask for its presence with `&{T}`, `With<{T}>` or `Is<{T}>`; put it on and take it off with `insert` and `remove`",
    note = "code that is generic over its world asks for `HasMut<{T}>` instead of `Has<{T}>`"
)]
pub trait Changes<T: ?Sized> {}
impl<T: ?Sized> Changes<T> for Value {}
impl<T: ?Sized> Changes<T> for Tracked {}
// the message for a relation is that of `NotRelation`
impl<T: ?Sized> Changes<T> for Immutable {}
impl<T: ?Sized> Changes<T> for TrackedImmutable {}
impl<T: ?Sized> Changes<T> for IndexedValue {}
// the message for a key is that of `InPlace`
impl<T: ?Sized> Changes<T> for KeyValue {}

/// A kind of component that `&mut T` may change, since changes are not tracked.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: component `{T}` is tracked, and change detection would miss a change through `&mut`: ask for `Mut<{T}>`",
    label = "ask for `Mut<{T}>`",
    note = "outside of queries, use `get_tracked` instead of `get_mut`",
    note = "code that is generic over its world asks for `HasMut<{T}>` instead of `Has<{T}>`"
)]
pub trait Untracked<T: ?Sized> {}
impl<T: ?Sized> Untracked<T> for Value {}
impl<T: ?Sized> Untracked<T> for KeyValue {}
// the message for a tag is that of `Changes`
impl<T: ?Sized> Untracked<T> for Tag {}
impl<T: ?Sized> Untracked<T> for TrackedTag {}
impl<T: ?Sized> Untracked<T> for Immutable {}
impl<T: ?Sized> Untracked<T> for TrackedImmutable {}

/// A kind of component whose values may be changed in place, as those of keys may not.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: component `{T}` is a key, and its value is not changed in place: `insert` a new value",
    label = "a key is replaced, not changed",
    note = "`insert` checks that no other entity has an equal key; move fields that are not part of the key into another component"
)]
pub trait InPlace<T: ?Sized> {}

/// A kind of component that `&mut T` may change.
///
/// It joins four traits, so that there is one message where the kind is not known, in generic code. For a known kind, the compiler
/// prints the message of the trait that the kind lacks.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: this code is generic over its world, which may have `{T}` as a tag, a tracked component, a key or a relation",
    label = "`{T}` cannot always be changed through `&mut`",
    note = "ask for `HasMut<{T}>` instead of `Has<{T}>`"
)]
pub trait ChangedByMut<T: ?Sized> {}

/// A kind of component whose values may be changed without change detection, as those of indexed components may not.
#[diagnostic::on_unimplemented(
    message = "component `{T}` is indexed, and its index finds changed values by change detection: do not bypass it",
    label = "an index must see every change",
    note = "`&mut *value`, `set_if_neq` and `into_inner` mark the value as changed"
)]
pub trait Unseen<T: ?Sized> {}

/// A kind of component that excludes no other component, so that a view of its column alone can add it.
#[diagnostic::on_unimplemented(
    message = "component `{T}` excludes others, which a view of its column cannot see",
    label = "cannot be added here",
    note = "`insert` it through the world: `game.insert(entity, ..)`; a view can only read, change and remove values",
    note = "code that is generic over the component asks for `T: Component<Kind: ecs::component::Compatible<T>>`"
)]
pub trait Compatible<T: ?Sized> {}

// The implementations for `AnyKind` do not appear in messages.
macro_rules! of_kinds {
    ($($of:ident: $($kind:ident)*;)*) => {$(
        $(impl<T: ?Sized> $of<T> for $kind {})*
        #[diagnostic::do_not_recommend]
        impl<T: ?Sized> $of<T> for AnyKind {}
    )*};
}
of_kinds! {
    InPlace: Value Tag Tracked TrackedTag IndexedValue Immutable TrackedImmutable;
    Unseen: Value Tag Tracked TrackedTag KeyValue Immutable TrackedImmutable;
    Compatible: Value Tag Tracked TrackedTag IndexedValue KeyValue Immutable TrackedImmutable;
    Changes:;
    Untracked:;
    Tracks:;
}

/// A kind of component whose changes are tracked.
#[diagnostic::on_unimplemented(
    message = "component `{T}` is not tracked: write `#[component(tracked)]` on it",
    label = "`{T}` is not tracked",
    note = "`Ref`, `Mut`, `Changed` and `Added` need change ticks, which only tracked components store",
    note = "code that is generic over its world asks for `HasTracked<{T}>` instead of `Has<{T}>`"
)]
pub trait Tracks<T: ?Sized> {}
impl<T: ?Sized> Tracks<T> for Tracked {}
impl<T: ?Sized> Tracks<T> for IndexedValue {}
impl<T: ?Sized> Tracks<T> for TrackedTag {}
impl<T: ?Sized> Tracks<T> for TrackedImmutable {}

/// A kind of component whose removed values are kept.
#[diagnostic::on_unimplemented(
    message = "the removed values of component `{T}` are not kept: write `#[component(removed)]` on it",
    label = "no removed values of `{T}`",
    note = "to learn which entities lost it, without the values, use `Exited<With<{T}>>`",
    note = "code that is generic over its world asks for `HasRemoved<{T}>` instead of `Has<{T}>`"
)]
pub trait KeepsRemoved<T> {
    /// The maximal number of kept values.
    const MOST: usize;
    /// Makes the copy that is kept when the value itself is returned to the caller of `remove`.
    const COPY: fn(&T) -> T;
}
impl<T: Clone, K, const MOST: usize> KeepsRemoved<T> for Logged<K, MOST> {
    const MOST: usize = MOST;
    const COPY: fn(&T) -> T = T::clone;
}

#[diagnostic::do_not_recommend]
impl<T> KeepsRemoved<T> for AnyKind {
    const MOST: usize = 0;
    const COPY: fn(&T) -> T = |_| unreachable!("no world has this component");
}

/// A component that can have the option `removed`, which needs `Clone`. The derive checks this bound.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` is not `Clone`, which `removed` needs: the caller of `remove` gets the value, readers get a copy",
    label = "not `Clone`",
    note = "add `#[derive(Clone)]` to `{Self}`"
)]
pub trait LoggedValue {
    /// Named by the derive, which checks the bound in this way.
    const CLONE: () = ();
}
#[diagnostic::do_not_recommend]
impl<T: Clone> LoggedValue for T {}
