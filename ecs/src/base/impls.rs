//! Impls that differ in a type and an expression, most of which a derive cannot give, since it would
//! ask for bounds on type parameters: macros that each module of the library has in scope. So is
//! [`any`](any!), which constants need for want of iterators.

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

/// `Default` of a type, by its function `new`.
macro_rules! default {
    ([$($generics:tt)*] $ty:ty) => {
        impl<$($generics)*> Default for $ty {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}

/// `Deref` of a type, by an expression: `deref!([T] Ref<'_, T> => T, |this| this.value)`.
macro_rules! deref {
    ([$($generics:tt)*] $ty:ty => $target:ty, |$this:pat_param| $value:expr) => {
        impl<$($generics)*> core::ops::Deref for $ty {
            type Target = $target;
            #[inline(always)]
            fn deref(&self) -> &$target {
                let $this = self;
                $value
            }
        }
    };
}

/// `DerefMut` of a type, by an expression.
macro_rules! deref_mut {
    ([$($generics:tt)*] $ty:ty, |$this:pat_param| $value:expr) => {
        impl<$($generics)*> core::ops::DerefMut for $ty {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut Self::Target {
                let $this = self;
                $value
            }
        }
    };
}

/// `IntoIterator` of a type, by the types of the items and of the iterator, and an expression.
macro_rules! into_iter {
    ([$($generics:tt)*] $ty:ty: $item:ty, $iter:ty, |$this:pat_param| $value:expr) => {
        impl<$($generics)*> IntoIterator for $ty {
            type Item = $item;
            type IntoIter = $iter;
            fn into_iter(self) -> Self::IntoIter {
                let $this = self;
                $value
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
