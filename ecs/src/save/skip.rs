//! [`Skip`]: a wrapper for values that are not saved, in `Local`s and in fields of saved types.

use core::fmt;
use core::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that is not saved; in a loaded world it is `T::default()`. For `Local<Skip<T>>`, and for
/// fields of saved types.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::save::Skip;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Default, Clone)] struct Cache(Vec<u32>);            // neither `Serialize` nor `Deserialize`
///
/// world! {
///     #[derive(Serialize, Deserialize)]
///     struct Game {}
///     schedule tick { think }
/// }
///
/// #[system(Game)]
/// fn think(mut cache: Local<Skip<Cache>>) {
///     cache.0.push(1);
/// }
/// # Game::new().tick();
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Skip<T> {
    value: T,
}

impl<T> Skip<T> {
    /// Wraps a value, so that it is not saved.
    pub const fn new(value: T) -> Self {
        Self { value }
    }

    /// Returns the wrapped value.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T> Deref for Skip<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Skip<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Skip<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<T> Serialize for Skip<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl<'de, T: Default> Deserialize<'de> for Skip<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <()>::deserialize(deserializer).map(|()| Self::default())
    }
}
