//! Impls that a derive cannot give, since it would ask for bounds on type parameters: the macros
//! `copy!`, `clone!`, `debug!` and `error!`, which each module of the library has in scope, as it
//! has [`any`](any!), which constants need for want of iterators.

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

/// `Clone` of a type, by that of its fields: `clone!([W] Runs<W> { started, under_way })`.
macro_rules! clone {
    ([$($generics:tt)*] $ty:ty { $($field:tt),* }) => {
        impl<$($generics)*> Clone for $ty {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone()),* }
            }
        }
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

/// Whether an element of a list fulfils a condition, in a constant:
/// `any!(params, |param| param.kind.is_row())`.
macro_rules! any {
    ($list:expr, |$element:pat_param| $is:expr) => {{
        let (list, mut found, mut at) = (&$list, false, 0);
        while at < list.len() && !found {
            let $element = &list[at];
            found = $is;
            at += 1;
        }
        found
    }};
}
