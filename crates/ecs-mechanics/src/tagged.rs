//! [`tagged!`], which declares a struct with a type parameter that is only a tag.

/// Declares a struct with a tag, and implements the traits that a derive would implement for tags
/// with the same trait only: `Clone`, `Copy`, `PartialEq`, `Eq` and `Debug`.
macro_rules! tagged {
    (
        $(#[$meta:meta])*
        pub struct $name:ident<$tag:ident: $bound:path> {
            $($(#[$field_meta:meta])* $visibility:vis $field:ident: $ty:ty,)*
        }
    ) => {
        // first, because `meta` may have attributes for it
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(bound = "")]
        $(#[$meta])*
        pub struct $name<$tag: $bound> {
            $($(#[$field_meta])* $visibility $field: $ty,)*
            #[serde(skip)]
            tag: core::marker::PhantomData<fn() -> $tag>,
        }

        impl<$tag: $bound> $name<$tag> {
            const fn from_fields($($field: $ty),*) -> Self {
                Self { $($field,)* tag: core::marker::PhantomData }
            }
        }

        impl<$tag: $bound> Clone for $name<$tag> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$tag: $bound> Copy for $name<$tag> {}

        impl<$tag: $bound> PartialEq for $name<$tag> {
            fn eq(&self, other: &Self) -> bool {
                $(self.$field == other.$field)&&*
            }
        }

        impl<$tag: $bound> Eq for $name<$tag> {}

        impl<$tag: $bound> core::fmt::Debug for $name<$tag> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name))$(.field(stringify!($field), &self.$field))*.finish()
            }
        }
    };
}

pub(crate) use tagged;
