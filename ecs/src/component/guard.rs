//! Components that have rules: what a column does when a value comes to an entity or leaves it, and when an entity dies.
//!
//! A rule is a [`Guard`], named by the component's kind; what it remembers is a [`Companion`], kept in the column beside
//! the values and made when the first value comes. Every way by which values come and go asks it, and none but those of
//! guarded components: that is known at compile time.
//!
//! Nothing relies on a companion for soundness: it is told by traits that users implement.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::marker::PhantomData;

use super::kind::{Changes, ComponentKind, Logs, Sealed, Tracks, Untracked};
use super::requires::Kind;
use crate::change::Ticks;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::error::Reason;
use crate::query::data::Data;
use crate::storage::column::Column;
use crate::world::World;

/// A rule of component `Of`.
pub trait Guard: 'static {
    /// The component.
    type Of: 'static;
    /// Whether it ever says no.
    const REFUSES: bool;
    /// What it remembers of a column without values.
    fn companion() -> Box<dyn Companion<Self::Of>>;
}

/// What a rule remembers about the values of a column.
///
/// While one of these is called it is not in the column.
pub trait Companion<T>: Send + Sync {
    /// To find it by its type.
    fn as_any(&self) -> &dyn Any;

    /// The same, to change it by verbs of its own; none for one that has none.
    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        None
    }

    /// A copy, for a copy of the column.
    fn copy(&self) -> Box<dyn Companion<T>>;

    /// Why `entity`, or a new one if there is none, cannot have the value. Asked before anything changes.
    fn refuse(
        &self,
        values: &Column<T>,
        entities: &Entities,
        entity: Option<Entity>,
        value: &T,
    ) -> Option<Reason> {
        let _ = (values, entities, entity, value);
        None
    }

    /// An entity has got a value, in place of an old one if it had one.
    fn inserted(&mut self, values: &mut Column<T>, site: Site<'_>, old: Option<&T>);

    /// An entity has lost its value; it may live or have just died.
    fn removed(&mut self, values: &mut Column<T>, site: Site<'_>, old: &T);

    /// An entity has just died, and [`removed`](Self::removed) has been told if it had a value. Who shall die with it
    /// is appended to `orphans`.
    fn died(&mut self, values: &mut Column<T>, site: Site<'_>, orphans: &mut Vec<Entity>) {
        let _ = (values, site, orphans);
    }

    /// All values have gone.
    fn clear(&mut self);
}

/// Where something happens to a value.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// To whom.
    pub(crate) entity: Entity,
    /// Who is alive.
    pub(crate) entities: &'a Entities,
    /// The component's place in the world's list.
    pub(crate) index: usize,
    /// When.
    pub(crate) tick: u64,
}

/// The kind of a component of kind `K` with the rule `G`.
pub struct Guarded<G, K>(PhantomData<fn() -> (G, K)>);

impl<G, K> Sealed for Guarded<G, K> {}

impl<G: Guard, K: ComponentKind> ComponentKind for Guarded<G, K> {
    const TRACKED: bool = K::TRACKED;
    const LOGGED: bool = K::LOGGED;
    const GUARDED: bool = true;
    const REFUSES: bool = G::REFUSES;
    type Unique<T: 'static> = K::Unique<T>;

    #[inline(always)]
    fn unique<T: 'static>(
        column: &mut Column<T>,
        slot: u32,
        ticks: Ticks,
    ) -> Option<<Self::Unique<T> as Data>::Item<'_>> {
        K::unique(column, slot, ticks)
    }

    #[inline(always)]
    fn columns<T: 'static>(column: &mut Column<T>, ticks: Ticks) -> <Self::Unique<T> as Data>::Columns {
        K::columns(column, ticks)
    }

    /// None for a component that claims the rule of another one.
    fn companion<T: 'static>() -> Option<Box<dyn Companion<T>>> {
        let companion: Box<dyn Any> = Box::new(G::companion());
        companion.downcast().ok().map(|companion| *companion)
    }
}

impl<W: World, G: Guard, K: ComponentKind> Kind<W> for Guarded<G, K> {}

impl<T: ?Sized, G, K: Changes<T>> Changes<T> for Guarded<G, K> {}
impl<T: ?Sized, G, K: Untracked<T>> Untracked<T> for Guarded<G, K> {}
impl<T: ?Sized, G, K: Tracks<T>> Tracks<T> for Guarded<G, K> {}
impl<T, G, K: Logs<T>> Logs<T> for Guarded<G, K> {
    const MOST: usize = K::MOST;
    const COPY: fn(&T) -> T = K::COPY;
}
