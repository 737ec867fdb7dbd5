//! What is asked for by mistake: nothing, a filter, too long a tuple. (`derive(Component)` adds: a component by value.)
//!
//! These are [`Data`], so that a query of them is a type like any other; but no world can answer it, since
//! [`QueryData`](super::QueryData) is not implemented. One mistake has one message then, under the user's own words.
#![expect(unsafe_code, reason = "nothing ever matches, so nothing is ever reached")]

use super::change::{Added, Changed};
use super::data::{Data, ReadData};
use super::filter::{And, Not, Or, With, Without};
use super::slots::MatchesNothing;

macro_rules! mistakes {
    ($([$($parameter:ident)*] $mistake:ty;)*) => {$(
        // SAFETY: nothing ever matches.
        unsafe impl<$($parameter),*> Data for $mistake {
            type Columns = MatchesNothing;
            type Base = ();
            type Item<'q> = ();
            type ReadOnly = Self;
        }
        // SAFETY: nothing is given.
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
