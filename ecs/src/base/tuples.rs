//! [`for_tuples`]: the lengths of the tuples that traits are implemented for.

/// Calls a macro for each length of a tuple, from 1 to 12, with a type parameter and the index of
/// each element: `each!(A 0 B 1)`.
macro_rules! for_tuples {
    ($each:ident) => {
        for_tuples!($each [] A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11);
    };
    ($each:ident [$($done:tt)*] $name:ident $index:tt $($more:tt)*) => {
        $each!($($done)* $name $index);
        for_tuples!($each [$($done)* $name $index] $($more)*);
    };
    ($each:ident [$($done:tt)*]) => {};
}

pub(crate) use for_tuples;
