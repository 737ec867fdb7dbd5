//! Impls that a derive cannot give, since it would ask for bounds on type parameters: the macros
//! `copy!` and `debug!`, which each module of the library has in scope.

/// `Clone` and `Copy` of a type: `copy!([T] View<'_, T>)`, with its type parameters first.
macro_rules! copy {
    ([$($generics:tt)*] $ty:ty) => {
        impl<$($generics)*> Clone for $ty {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<$($generics)*> Copy for $ty {}
    };
}

/// `Debug` of a type, by an expression: `debug!([T] View<'_, T>, |this, f| f.write_str("View"))`.
macro_rules! debug {
    ([$($generics:tt)*] $ty:ty, |$this:pat_param, $f:ident| $shown:expr) => {
        impl<$($generics)*> core::fmt::Debug for $ty {
            fn fmt(&self, $f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let $this = self;
                $shown
            }
        }
    };
}

/// `Display` and `Error` of an error, by the expression that writes its text: `error!(NoSuchEntity,
/// |this, f| write!(f, "entity {} is not alive", this.entity))`.
macro_rules! error {
    ($ty:ty, |$this:pat_param, $f:ident| $said:expr) => {
        impl core::fmt::Display for $ty {
            fn fmt(&self, $f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let $this = self;
                $said
            }
        }
        impl core::error::Error for $ty {}
    };
}
