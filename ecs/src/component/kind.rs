//! What the options of `#[derive(Component)]` make of a component, as types: whether it has a value, and whether its
//! changes are tracked, and whether removed values are kept.
//!
//! What only some kinds pay for stands behind the constants of [`ComponentKind`]. It is asked for where a component is
//! inserted; nothing relies on it for soundness, since a kind can be claimed by hand.

use core::marker::PhantomData;

use super::Component;
use crate::base::tick::Ticks;
use crate::change::{Mut, Ref};
use crate::component::immutable::{Immutable, TrackedImmutable};
use crate::query::change::TrackedColumn;
use crate::query::data::Data;
use crate::query::slots::RequiredColumn;
use crate::storage::column::Column;
use crate::storage::kind::ColumnKind;

/// A component with a value: `&mut T` may change it behind the world's back.
pub struct Value;

/// A component without a value.
pub struct Tag;

/// A component with a value whose changes are tracked.
pub struct Tracked;

/// A component without a value, of which it is known when it was added.
pub struct TrackedTag;

/// A component whose changes are tracked, all of them, since entities are found by its value.
pub struct IndexedValue;

/// A component whose value is not changed in place, since no two entities have the same.
pub struct KeyValue;

/// The kind of what is no component. It has every property: what is wrong was reported.
pub struct AnyKind;

/// A component of kind `K` whose removed values are kept for those who react to it, so many of them at most.
pub struct Logged<K, const MOST: usize>(PhantomData<fn() -> K>);

/// Of these kinds and no others: views rely on what they lend.
pub trait Sealed {}

/// What there is to know about a component.
pub trait ComponentKind: ColumnKind + Sealed + Sized + 'static {
    /// Whether it does not go together with other components.
    const EXCLUDES: bool = false;
    /// The query element that borrows a value mutably; shared, if it is not changed in place.
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
pub(crate) type Unique<T> = <<T as Component>::Kind as ComponentKind>::Unique<T>;

/// What it gives.
pub(crate) type UniqueItem<'w, T> = <Unique<T> as Data>::Item<'w>;

macro_rules! kinds {
    ($($kind:ident: $tracked:literal, $indexed:literal, $element:ty, |$column:ident, $slot:ident, $ticks:ident| $unique:expr, $columns:expr;)*) => {$(
        impl Sealed for $kind {}
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

/// A kind of component that has a value to be changed.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: `{T}` is a tag and has no value that could be changed",
    label = "a tag has no fields: nothing to borrow mutably",
    note = "ask for its presence with `&{T}`, `With<{T}>` or `Is<{T}>`; put it on and take it off with `insert` and `remove`",
    note = "code that is generic over its world asks for `HasMut<{T}>` instead of `Has<{T}>`"
)]
pub trait Changes<T: ?Sized> {}
impl<T: ?Sized> Changes<T> for Value {}
impl<T: ?Sized> Changes<T> for Tracked {}
// what is to be said about a relation is said by `NotRelation`
impl<T: ?Sized> Changes<T> for Immutable {}
impl<T: ?Sized> Changes<T> for TrackedImmutable {}
impl<T: ?Sized> Changes<T> for IndexedValue {}
// what is to be said about a key is said by `InPlace`
impl<T: ?Sized> Changes<T> for KeyValue {}

/// A kind of component that `&mut T` may change, since nobody asks when.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: component `{T}` is tracked, and this would change it without a trace: ask for `Mut<{T}>`",
    label = "ask for `Mut<{T}>`",
    note = "outside of queries: `get_tracked` in place of `get_mut`",
    note = "code that is generic over its world asks for `HasMut<{T}>` instead of `Has<{T}>`"
)]
pub trait Untracked<T: ?Sized> {}
impl<T: ?Sized> Untracked<T> for Value {}
impl<T: ?Sized> Untracked<T> for KeyValue {}
// what is to be said about a tag is said by `Changes`
impl<T: ?Sized> Untracked<T> for Tag {}
impl<T: ?Sized> Untracked<T> for TrackedTag {}
impl<T: ?Sized> Untracked<T> for Immutable {}
impl<T: ?Sized> Untracked<T> for TrackedImmutable {}

/// A kind of component whose values may be changed where they are.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: component `{T}` is a key, and its value is not changed in place: `insert` another one",
    label = "a key is replaced, not changed",
    note = "only so is it known that no two entities have the same; a field that is no part of the key belongs into another component"
)]
pub trait InPlace<T: ?Sized> {}

/// A kind of component that `&mut T` may change: one trait, so that one message stands where the kind is not known. Of a kind that is
/// known, the message of the trait that it lacks is printed.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: this code is generic over its world, which may have `{T}` as a tag, a tracked component, a key or a relation",
    label = "`{T}` may not be changed through `&mut`",
    note = "ask for `HasMut<{T}>` instead of `Has<{T}>`"
)]
pub trait ChangedByMut<T: ?Sized> {}

/// A kind of component whose values may be changed without a mark, since nobody relies on it.
#[diagnostic::on_unimplemented(
    message = "component `{T}` is indexed, and its index finds what was changed by the marks: borrow it mutably instead",
    label = "an index must see every change",
    note = "`&mut *value`, `set_if_neq` and `into_inner` mark it"
)]
pub trait Unseen<T: ?Sized> {}

/// A kind of component that goes together with all others: whoever has only its column can add it.
#[diagnostic::on_unimplemented(
    message = "component `{T}` excludes others, which a view of its column cannot see",
    label = "cannot be added here",
    note = "`insert` it through the world: `game.insert(entity, ..)`; a view gives and takes away what is there",
    note = "code that is generic over the component asks for `T: Component<Kind: ecs::Compatible<T>>`"
)]
pub trait Compatible<T: ?Sized> {}

macro_rules! of_kinds {
    ($($of:ident: $($kind:ident)*;)*) => {$($(impl<T: ?Sized> $of<T> for $kind {})*)*};
}
of_kinds! {
    InPlace: Value Tag Tracked TrackedTag IndexedValue Immutable TrackedImmutable AnyKind;
    Unseen: Value Tag Tracked TrackedTag KeyValue Immutable TrackedImmutable AnyKind;
    Compatible: Value Tag Tracked TrackedTag IndexedValue KeyValue Immutable TrackedImmutable AnyKind;
    Changes: AnyKind;
    Untracked: AnyKind;
    Tracks: AnyKind;
}

/// A kind of component whose changes are tracked.
#[diagnostic::on_unimplemented(
    message = "component `{T}` is not tracked: write `#[component(tracked)]` on it",
    label = "`{T}` is not tracked",
    note = "`Ref`, `Mut`, `Changed` and `Added` ask when a component was changed, which only tracked ones remember",
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
    note = "whoever only asks which entities lost it takes `Exited<With<{T}>>`",
    note = "code that is generic over its world asks for `HasRemoved<{T}>` instead of `Has<{T}>`"
)]
pub trait Logs<T> {
    /// How many of them are kept at most.
    const MOST: usize;
    /// Makes the copy that is kept where the value is given away.
    const COPY: fn(&T) -> T;
}
impl<T: Clone, K, const MOST: usize> Logs<T> for Logged<K, MOST> {
    const MOST: usize = MOST;
    const COPY: fn(&T) -> T = T::clone;
}

impl<T> Logs<T> for AnyKind {
    const MOST: usize = 0;
    const COPY: fn(&T) -> T = |_| unreachable!("no world has this component");
}

/// What the derive asks of a component with `removed`.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` is `removed` and not `Clone`: the one who removes a value is given it, and who reacts to it reads a clone",
    label = "not `Clone`",
    note = "add `#[derive(Clone)]` to `{Self}`"
)]
pub trait LoggedValue {
    /// That it is.
    const CLONE: () = ();
}
#[diagnostic::do_not_recommend]
impl<T: Clone> LoggedValue for T {}
