//! [`content!`], which declares a resource with content of a game by name, such as behaviour trees
//! and conversations.

/// Declares a resource with values by name, with the methods that all such resources have. The text
/// after the type names one value in the documentation.
macro_rules! content {
    (
        $(#[$meta:meta])*
        pub struct $name:ident<$kind:ident: $bound:path>($value:ty), $noun:literal;
    ) => {
        $(#[$meta])*
        ///
        /// Saves do not have the resource: give it to `LoadOptions::resource` when a world is
        /// loaded. A clone shares the values.
        #[derive(ecs::prelude::Resource)]
        #[resource(skip, hidden)]
        pub struct $name<$kind: $bound>(
            std::sync::Arc<std::collections::BTreeMap<String, std::sync::Arc<$value>>>,
        );

        impl<$kind: $bound> $name<$kind> {
            #[doc = concat!("Adds a ", $noun, ", or replaces the one with this name.")]
            pub fn insert(&mut self, name: impl Into<String>, value: $value) {
                std::sync::Arc::make_mut(&mut self.0).insert(name.into(), std::sync::Arc::new(value));
            }

            #[doc = concat!("The ", $noun, " with this name.")]
            #[must_use]
            pub fn get(&self, name: &str) -> Option<&$value> {
                self.0.get(name).map(|value| &**value)
            }

            /// The names, in alphabetical order.
            pub fn names(&self) -> impl Iterator<Item = &str> {
                self.0.keys().map(String::as_str)
            }
        }

        impl<$kind: $bound> Clone for $name<$kind> {
            fn clone(&self) -> Self {
                Self(std::sync::Arc::clone(&self.0))
            }
        }

        impl<$kind: $bound> Default for $name<$kind> {
            fn default() -> Self {
                Self(std::sync::Arc::default())
            }
        }

        impl<$kind: $bound> core::fmt::Debug for $name<$kind> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_list().entries(self.names()).finish()
            }
        }
    };
}

pub(crate) use content;
