//! Components of the library: names, and ids that outlast the program.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;
use core::ops::Deref;

use ecs_macros::Component;

use crate::resource::{IsResource, Resource, Unshared};

/// The name of an entity. Several may have the same.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::Name;
///
/// world! { struct Game { components { Name } } }
///
/// let mut game = Game::new();
/// let bob = game.spawn(Name::new("bob"));
/// assert_eq!(game.named("bob"), Some(bob));
/// assert_eq!(game.get::<Name>(bob).unwrap().len(), 3); // a `str`
/// ```
///
/// It is an indexed component, like one of your own with `#[component(index)]`: `Lookup<Name>` finds all that have a
/// name, and a new name is given by `insert`, or through `Mut<Name>`.
#[derive(Component, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[component(index = 0, crate = crate)]
pub struct Name(Box<str>);

impl Name {
    /// This name.
    pub fn new(name: impl Into<Box<str>>) -> Self {
        Self(name.into())
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

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

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// An id that outlasts the program: for saves and for the network. No two entities of a world have the same.
///
/// An [`Entity`](crate::Entity) says where an entity is in this world, and is another one after loading. A stable id is what
/// you say it is, or what [`StableIds`] makes. It is a key, like a component of your own with `#[component(key)]`.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::{StableId, StableIds};
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
/// assert_eq!(game.stable(id), Some(hero));
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

/// A counter that makes [`StableId`]s, from 1 on: a resource, to be saved with the world.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StableIds {
    /// The last one that was made, or is known to be taken.
    pub last: u64,
}

impl Resource for StableIds {
    const RESOURCE_NAME: &'static str = "StableIds";
}

#[diagnostic::do_not_recommend]
impl IsResource for StableIds {}

impl Unshared for StableIds {}

impl StableIds {
    /// One that this counter has not made and that was not said to be taken.
    ///
    /// # Panics
    /// If there are no more, after 2⁶⁴ of them.
    pub fn make(&mut self) -> StableId {
        self.last = self.last.checked_add(1).expect("a new stable id is left");
        StableId(self.last)
    }

    /// An id comes from elsewhere: those that are made from now on are higher.
    pub fn take(&mut self, id: StableId) {
        self.last = self.last.max(id.0);
    }
}
