//! Components: the derive's trait, the traits that tell which components a world has and what can
//! be done with them, such as [`Has`] and [`HasMut`], and the types through which values of
//! components are seen.

use crate::base::plain::ListNumbers;
use crate::base::type_identity::Identity;
use crate::raw_world::of_component;

mod bypass;
mod disabled;
pub(crate) mod excludes;
mod graph;
pub(crate) mod groups;
pub(crate) mod hook;
pub(crate) mod index;
pub(crate) mod kind;
pub(crate) mod markers;
pub(crate) mod name;
pub(crate) mod naming;
pub(crate) mod ordered;
pub(crate) mod packed;
pub(crate) mod requires;
pub(crate) mod rule;
pub(crate) mod unique;

pub use crate::base::component_set::ComponentSet;
pub use crate::base::thread_safe::ThreadSafe;
pub use crate::change::{Mut, Ref};
pub use crate::raw_world::Has;
pub use crate::storage::column::Column;
pub use disabled::Disabled;
pub use graph::{ComponentGraph, ComponentNode, RelationNode, component_graph};
pub use groups::Groups;
pub use hook::{ComponentHook, Hooked};
pub use index::{FoundEntities, IndexKey, Indexed, LookupKey};
#[doc(hidden)] // public, since messages of the compiler name them
pub use index::{HashIndex, IndexForm};
pub(crate) use kind::ComponentKind;
pub use markers::Compatible;
use markers::{ChangedByMut, KeepsRemoved, MutableTracked, Tracks};
pub use name::{Name, StableId, StableIds};
#[doc(hidden)]
pub use ordered::OrderedIndex;
pub use ordered::{EntityRange, Ordered, OrderedKey};
pub(crate) use requires::ComponentOf;
pub use unique::HasUnique;

/// A type whose values can be attached to entities. Implemented with `#[derive(Component)]`.
///
/// A world stores the components that its `components { .. }` section lists, each type in its own
/// column. A struct without fields is a *tag*: it takes one bit for each entity. A component is
/// `Send`, `Sync` and `'static`.
///
/// Systems that only read a component may run in parallel. If they change it behind `&T`, through
/// an atomic or a lock, the result depends on the order in which they run, and neither change
/// detection nor snapshots see the change. To change a component, take `&mut T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component",
    label = "not a component",
    note = "add `#[derive(Component)]` to `{Self}`; a type of another crate needs a one-field newtype"
)]
pub trait Component: IsComponent + ThreadSafe {
    /// The name of the type, without its path.
    const COMPONENT_NAME: &'static str = Self::__IDENTITY.name;
}

/// A type with `#[derive(Component)]`: the items of [`Component`] that the derive makes.
///
/// The trait has no bound but `Sized`. `world!` has a separate bound for [`ThreadSafe`], so that a
/// type that is not thread-safe is one error, where the world lists it, and not an error at every
/// use.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component",
    label = "not a component",
    note = "add `#[derive(Component)]` to `{Self}`; a type of another crate needs a one-field newtype"
)]
#[doc(hidden)]
pub trait IsComponent: Sized + 'static {
    /// The identity of the type, which constants can compare.
    const __IDENTITY: Identity = Identity::UNKNOWN;
    /// Lists the numbers of a value, in the order of the fields, if all fields are numbers: see
    /// `base/plain.rs`. The list is checked.
    const __NUMBERS: Option<ListNumbers<Self>> = None;
    /// The kind of component, which follows from the options of the derive.
    type Kind: ComponentKind;
}

of_component! {
    /// A world that stores component `T`, whose values `&mut T` may change: `T` is not a tag, tracked,
    /// a key or a relation. Implemented for every such component.
    pub trait HasMut<T: 'static>: Has<T> {}
}
impl<T: 'static, W: Has<T>> HasMut<T> for W where <W as Has<T>>::Kind: ChangedByMut<T> {}

of_component! {
    /// A world that stores the tracked component `T`, whose values can be changed in place, as [`Mut`]
    /// needs it. Implemented for every such component.
    pub trait HasTracked<T: 'static>: HasStamps<T> {}
}
impl<T: 'static, W: Has<T>> HasTracked<T> for W where <W as Has<T>>::Kind: MutableTracked<T> {}

of_component! {
    /// A world that stores the tracked component `T`, as [`Ref`], [`Changed`](crate::Changed) and
    /// [`Added`](crate::Added) need it. Implemented for every such component, tracked relations
    /// included, which [`HasTracked`] excludes.
    pub trait HasStamps<T: 'static>: Has<T> {}
}
impl<T: 'static, W: Has<T>> HasStamps<T> for W where <W as Has<T>>::Kind: Tracks<T> {}

of_component! {
    /// A world that stores component `T` and keeps its removed values, as [`Removed`](crate::Removed)
    /// needs it. Implemented for every component with `#[component(removed)]`.
    pub trait HasRemoved<T: 'static>: Has<T> {
        #[doc(hidden)]
        const MOST: usize;
        #[doc(hidden)]
        const COPY: fn(&T) -> T;
    }
}
impl<T: 'static, W: Has<T>> HasRemoved<T> for W
where
    <W as Has<T>>::Kind: KeepsRemoved<T>,
{
    const MOST: usize = <W::Kind as KeepsRemoved<T>>::MOST;
    const COPY: fn(&T) -> T = <W::Kind as KeepsRemoved<T>>::COPY;
}
