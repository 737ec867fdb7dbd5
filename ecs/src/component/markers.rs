//! The bounds that verbs and queries put on the [`Kind`] of a component. Each is a trait, since
//! rustc prints one message for a trait.
//!
//! A component may lack several of them at once, and rustc would print a message for each. A kind
//! therefore also implements those whose message would be the second one.

use super::kind::{AnyForm, Immutable, IndexedValue, KeyValue, Kind, Logged, Tag, Value};

/// A kind of component that has a value, which can be changed.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: `{T}` is a tag and has no value that could be changed",
    label = "a tag has no fields: nothing to borrow mutably",
    note = "ask for its presence with `&{T}`, `With<{T}>` or `Is<{T}>`; put it on and take it off with `insert` and `remove`",
    note = "code that is generic over its world asks for `HasMut<{T}>` instead of `Has<{T}>`"
)]
pub trait Changes<T: ?Sized> {}

/// A kind of component that `&mut T` may change, since changes are not tracked.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: component `{T}` is tracked, and change detection would miss a change through `&mut`: ask for `Mut<{T}>`",
    label = "ask for `Mut<{T}>`",
    note = "outside of queries, use `get_tracked` instead of `get_mut`",
    note = "code that is generic over its world asks for `HasTracked<{T}>` instead of `HasMut<{T}>`"
)]
pub trait Untracked<T: ?Sized> {}

/// A kind of component whose values may be changed in place, as those of keys may not.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: component `{T}` is immutable, is a key or has a hook, and its value is not changed in place: `insert` another value",
    label = "the value is replaced, not changed",
    note = "`insert` checks that no other entity has an equal key, and calls the hook; move fields that may change in place into another component"
)]
pub trait InPlace<T: ?Sized> {}

/// A kind of component whose values may be changed in place, as those of relations may not.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: `{T}` is a relation, which is replaced and never changed in place, so that both of its ends stay known",
    label = "a relation cannot be borrowed mutably",
    note = "replace it: `insert` it again, or `relate`, which also adds an edge to a `Many` or replaces one of its edges",
    note = "code that is generic over its world asks for `HasMut<{T}>` instead of `Has<{T}>`"
)]
pub trait NotRelation<T: ?Sized> {}

/// A kind of component that `&mut T` may change.
///
/// It joins four traits, so that there is one message where the kind is not known, in generic code.
/// For a known kind, the compiler prints the message of the trait that the kind lacks.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: this code is generic over its world, which may have `{T}` as a tag, a tracked component, a key or a relation",
    label = "`{T}` cannot always be changed through `&mut`",
    note = "ask for `HasMut<{T}>` instead of `Has<{T}>`"
)]
pub trait ChangedByMut<T: ?Sized> {}
impl<T: ?Sized, F, const TRACKED: bool, G, L, P, const EXCLUDES: bool> ChangedByMut<T>
    for Kind<F, TRACKED, G, L, P, EXCLUDES>
where
    Self: Changes<T> + Untracked<T> + InPlace<T> + NotRelation<T>,
{
}

/// A kind of component whose changes are tracked.
#[diagnostic::on_unimplemented(
    message = "component `{T}` is not tracked: write `#[component(tracked)]` on it",
    label = "`{T}` is not tracked",
    note = "`Ref`, `Mut`, `Changed` and `Added` need change ticks, which only tracked components store",
    note = "code that is generic over its world asks for `HasTracked<{T}>` instead of `Has<{T}>`"
)]
pub trait Tracks<T: ?Sized> {}

/// A kind of component that is tracked and whose values may be changed in place. The message is
/// about those that are replaced, since the message for untracked components is that of the
/// supertrait [`Tracks`].
#[diagnostic::on_unimplemented(
    message = "`Mut<{T}>`: a relation, a key, an immutable component or one with a hook is replaced and never changed in place: `insert` another value",
    label = "asks for a tracked component that is changed in place",
    note = "replace a relation by `insert` or `relate`, which also adds an edge to a `Many` or replaces one of its edges",
    note = "code that is generic over its world asks for `HasTracked<{T}>` instead of `Has<{T}>`"
)]
pub trait MutableTracked<T: ?Sized>: Tracks<T> {}

/// A kind of component whose values may be changed without change detection, as those of indexed
/// components may not.
#[diagnostic::on_unimplemented(
    message = "component `{T}` is indexed, and its index finds changed values by change detection: do not bypass it",
    label = "an index must see every change",
    note = "`&mut *value`, `set_if_neq` and `into_inner` mark the value as changed"
)]
pub trait Unseen<T: ?Sized> {}

/// A kind of component that excludes no other component, so that a view of its column alone can add
/// it.
#[diagnostic::on_unimplemented(
    message = "component `{T}` excludes others, which a view of its column cannot see",
    label = "cannot be added here",
    note = "`insert` it through the world: `game.insert(entity, ..)`; a view can only read, change and remove values",
    note = "code that is generic over the component asks for `T: Component<Kind: ecs::component::Compatible<T>>`"
)]
pub trait Compatible<T: ?Sized> {}

// One line for each trait: the forms, and whether the component is tracked, where the trait depends
// on it. `AnyForm` has all traits and does not appear in messages.
macro_rules! of_forms {
    ($($of:ident: $($form:ident $($tracked:literal)?),*;)*) => {$(
        $(of_forms!(@ $of $form $($tracked)?);)*
        #[diagnostic::do_not_recommend]
        impl<T: ?Sized> $of<T> for Kind<AnyForm, false> {}
    )*};
    (@ $of:ident $form:ident) => {
        #[diagnostic::do_not_recommend]
        impl<T: ?Sized, const TRACKED: bool, G, L, P, const EXCLUDES: bool> $of<T>
            for Kind<$form, TRACKED, G, L, P, EXCLUDES>
        {
        }
    };
    (@ $of:ident $form:ident $tracked:literal) => {
        #[diagnostic::do_not_recommend]
        impl<T: ?Sized, G, L, P, const EXCLUDES: bool> $of<T> for Kind<$form, $tracked, G, L, P, EXCLUDES> {}
    };
}

of_forms! {
    Changes: Value, IndexedValue, KeyValue, Immutable;
    // a tracked tag has the message of `Changes`, a tracked relation that of `NotRelation`
    Untracked: Value false, KeyValue, Tag, Immutable;
    InPlace: Value, Tag, IndexedValue, Immutable;
    NotRelation: Value, Tag, IndexedValue, KeyValue;
    Tracks: Value true, Tag true, IndexedValue true, KeyValue true, Immutable true;
    Unseen: Value, Tag, KeyValue, Immutable;
}

macro_rules! mutable_tracked {
    // without `do_not_recommend`, which would hide that the kind lacks `Tracks`
    ($($form:ident)*) => {$(
        impl<T: ?Sized, const TRACKED: bool, G, L, P, const EXCLUDES: bool> MutableTracked<T>
            for Kind<$form, TRACKED, G, L, P, EXCLUDES>
        where
            Self: Tracks<T>,
        {
        }
    )*};
}
mutable_tracked!(Value Tag IndexedValue);
#[diagnostic::do_not_recommend]
impl<T: ?Sized> MutableTracked<T> for Kind<AnyForm, false> {}

#[diagnostic::do_not_recommend]
impl<T: ?Sized, F, const TRACKED: bool, G, L, P> Compatible<T> for Kind<F, TRACKED, G, L, P, false> {}

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
#[diagnostic::do_not_recommend]
impl<T: LoggedValue, F, const TRACKED: bool, G, const MOST: usize, P, const EXCLUDES: bool> KeepsRemoved<T>
    for Kind<F, TRACKED, G, Logged<MOST>, P, EXCLUDES>
{
    const MOST: usize = MOST;
    const COPY: fn(&T) -> T = T::copy;
}
#[diagnostic::do_not_recommend]
impl<T> KeepsRemoved<T> for Kind<AnyForm, false> {
    const MOST: usize = 0;
    const COPY: fn(&T) -> T = |_| unreachable!("no world has this component");
}

/// A component with the option `removed`. The derive implements it, also for a component that is not
/// `Clone`: then the body of `copy` is the only error.
pub trait LoggedValue {
    /// A clone of the value.
    fn copy(&self) -> Self;
}

/// A component that can have the option `removed`, which needs `Clone`.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` is not `Clone`, which `removed` needs: the caller of `remove` gets the value, readers get a copy",
    label = "not `Clone`",
    note = "add `#[derive(Clone)]` to `{Self}`"
)]
pub trait CloneOfRemoved {
    /// A clone of the value.
    fn clone_of(&self) -> Self;
}
#[diagnostic::do_not_recommend]
impl<T: Clone> CloneOfRemoved for T {
    #[inline]
    fn clone_of(&self) -> T {
        self.clone()
    }
}
