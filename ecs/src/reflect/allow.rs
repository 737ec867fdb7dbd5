//! [`AllowList`]: the names that a handle shows.

use alloc::string::String;
use alloc::vec::Vec;

use crate::base::component_set::ComponentSet;

/// The components, resources, events and systems that a [restricted](super::Reflection::restrict)
/// handle shows. A list that is not given allows everything that is not hidden.
#[derive(Clone, Default, Debug)]
pub struct AllowList {
    pub(super) components: Option<Vec<String>>,
    pub(super) resources: Option<Vec<String>>,
    pub(super) events: Option<Vec<String>>,
    pub(super) systems: Option<Vec<String>>,
    pub(super) read_only: bool,
}

impl AllowList {
    /// A list that allows everything that is not hidden.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows only these components.
    #[must_use]
    pub fn components<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Self {
        Self { components: Some(collect(names)), ..self }
    }

    /// Allows only these resources.
    #[must_use]
    pub fn resources<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Self {
        Self { resources: Some(collect(names)), ..self }
    }

    /// Allows only these events.
    #[must_use]
    pub fn events<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Self {
        Self { events: Some(collect(names)), ..self }
    }

    /// Allows only these systems.
    #[must_use]
    pub fn systems<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Self {
        Self { systems: Some(collect(names)), ..self }
    }

    /// Refuses every change: [`ReflectError::ReadOnly`](super::ReflectError::ReadOnly).
    #[must_use]
    pub fn read_only(self) -> Self {
        Self { read_only: true, ..self }
    }
}

fn collect<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Vec<String> {
    names.into_iter().map(Into::into).collect()
}

/// The numbers of the components, resources and events that a handle shows, and the names of the
/// systems; `None` for all systems.
#[derive(Clone)]
pub(super) struct Shows {
    pub(super) components: ComponentSet,
    pub(super) resources: ComponentSet,
    pub(super) events: ComponentSet,
    pub(super) systems: Option<Vec<String>>,
    pub(super) read_only: bool,
}
