//! Components that the library provides: names, and ids that are stable across saves and networks.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use ecs_macros::Component;

use crate::resource::{IsResource, Resource, Unshared};

/// The name of an entity. Several entities may have the same name.
///
/// ```
/// use ecs::prelude::*;
///
/// world! { struct Game { components { Name } } }
///
/// let mut game = Game::new();
/// let bob = game.spawn(Name::new("bob"));
/// assert_eq!(game.find_one::<Name>("bob"), Some(bob));
/// assert_eq!(game.get::<Name>(bob).unwrap().len(), 3); // derefs to `str`
/// ```
///
/// It is a component with `#[component(index)]`: in systems, `Lookup<Name>` finds the entities with
/// a name. Change a name with `insert`, or through `Mut<Name>`.
#[derive(Component, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[component(index = 0, crate = crate)]
pub struct Name(Box<str>);

impl Name {
    /// Creates a name from a text.
    pub fn new(name: impl Into<Box<str>>) -> Self {
        Self(name.into())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

deref!([] Name => str, |this| &this.0);

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        Self::new(name)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

debug!([] Name, |this, f| this.0.fmt(f));

/// An id of an entity that stays the same in saves and over a network. No two entities of a world
/// have the same stable id.
///
/// An [`Entity`](crate::Entity) is valid in one world only, and an entity has a new one after
/// loading. Choose a stable id yourself, or let [`StableIds`] make it. It is a component with
/// `#[component(key)]`.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::component::{StableId, StableIds};
///
/// world! {
///     struct Game {
///         components { StableId }
///         resources { StableIds = StableIds::default() }
///     }
/// }
///
/// let mut game = Game::new();
/// let id = game.resource_mut::<StableIds>().make();
/// let hero = game.spawn(id);
/// assert_eq!(game.find_one::<StableId>(&id), Some(hero));
/// assert!(game.try_spawn(id).is_err());
/// ```
#[derive(Component, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[component(key, crate = crate)]
pub struct StableId(pub u64);

impl fmt::Display for StableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A counter that makes [`StableId`]s, starting at 1. It is a resource, which should be saved with
/// the world.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StableIds {
    /// The highest id that was made, or that [`take`](Self::take) has reserved.
    pub last: u64,
}

impl Resource for StableIds {
    const RESOURCE_NAME: &'static str = "StableIds";
}

#[diagnostic::do_not_recommend]
impl IsResource for StableIds {}

impl Unshared for StableIds {}

impl StableIds {
    /// Makes an id that this counter has not made, and that is not reserved.
    ///
    /// # Panics
    /// If no id is left, after 2⁶⁴ ids.
    pub fn make(&mut self) -> StableId {
        self.last = self.last.checked_add(1).expect("no stable id is left: all 2⁶⁴ are used");
        StableId(self.last)
    }

    /// Reserves an id that was made elsewhere: the counter will make only higher ids.
    pub fn take(&mut self, id: StableId) {
        self.last = self.last.max(id.0);
    }
}
