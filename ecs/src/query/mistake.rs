//! [`Data`] for types that users write in queries by mistake: `()`, filters, and tuples that are too long.
//! (`derive(Component)` adds components by value.)
//!
//! These types implement [`Data`], so that a query of them is a well-formed type, but not [`QueryData`](super::QueryData). So each
//! mistake gives one compile error, at the query in the user's code.
#![expect(unsafe_code, reason = "nothing ever matches, so nothing is ever reached")]

use super::change::{Added, Changed};
use super::data::{Data, ReadData};
use super::filter::{And, Not, Or, With, Without};
use super::slots::MatchesNothing;

macro_rules! mistakes {
    ($([$($parameter:ident)*] $mistake:ty;)*) => {$(
        // SAFETY: the columns match no slot, so no item is ever made.
        unsafe impl<$($parameter),*> Data for $mistake {
            type Columns = MatchesNothing;
            type Base = ();
            type Item<'q> = ();
            type ReadOnly = Self;
        }
        // SAFETY: the item is `()`.
        unsafe impl<$($parameter),*> ReadData for $mistake {}
    )*};
}

mistakes! {
    [] ();
    [T] With<T>;
    [T] Without<T>;
    [T] Changed<T>;
    [T] Added<T>;
    [F] And<F>;
    [F] Or<F>;
    [F] Not<F>;
    [A B C D E F G H I J K L M] (A, B, C, D, E, F, G, H, I, J, K, L, M);
    [A B C D E F G H I J K L M N] (A, B, C, D, E, F, G, H, I, J, K, L, M, N);
}
