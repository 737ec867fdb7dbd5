//! The loop of a per-entity system.
#![expect(unsafe_code, reason = "rows are walked by their bits")]

use crate::query::iter::Rows;
use crate::query::{Data, Filter};
use crate::world::{World, WorldCell};

/// A function that takes the elements of a tuple as its parameters: a per-entity system, which the compiler need not be
/// given a closure around then.
pub trait CallWithTuple<Items> {
    #[doc(hidden)]
    fn call(&mut self, items: Items);
}

macro_rules! call_with_tuple {
    ($($item:ident)*) => {
        impl<F: FnMut($($item),*), $($item),*> CallWithTuple<($($item,)*)> for F {
            #[inline(always)]
            #[allow(non_snake_case, clippy::too_many_arguments)]
            fn call(&mut self, ($($item,)*): ($($item,)*)) {
                self($($item),*);
            }
        }
    };
}

call_with_tuple!(A);
call_with_tuple!(A B);
call_with_tuple!(A B C);
call_with_tuple!(A B C D);
call_with_tuple!(A B C D E);
call_with_tuple!(A B C D E G);
call_with_tuple!(A B C D E G H);
call_with_tuple!(A B C D E G H I);
call_with_tuple!(A B C D E G H I J);
call_with_tuple!(A B C D E G H I J K);
call_with_tuple!(A B C D E G H I J K L);
call_with_tuple!(A B C D E G H I J K L M);

/// The loop of a per-entity system, written down where it is needed: a function would be one more to be made for each
/// system.
macro_rules! each_of {
    ($world:ident, $columns:ident, |$item:ident| $call:expr) => {{
        let (data, filter) = $columns();
        let rows = Rows::new(data, filter, $world.entities());
        // as few functions, and as small, as there can be
        #[cfg(debug_assertions)]
        rows.each::<D>(rows.first, |$item| $call);
        #[cfg(not(debug_assertions))]
        {
            if rows.first + 1 == rows.words {
                let mask = rows.mask(rows.first);
                // one entity, the player or the camera, needs no loop
                if mask.is_power_of_two() {
                    let $item = D::at(D::base(rows.data, rows.first), mask.trailing_zeros() as usize);
                    $call;
                    return;
                }
            }
            walk::<W, D, F>($world, $columns, |$item| $call);
        }
    }};
}

/// Calls a per-entity system with every item: as `query(..).for_each(f)`, but without what only other uses of a query
/// need, since all of this is compiled for each system anew. It is not forced into the caller: in a `dev` build it
/// stays apart from the systems of the module, which the compiler makes anew whenever one of them changes.
///
/// # Safety
/// As for [`query`](super::param::query), of what `columns` gives.
#[inline]
pub unsafe fn each<W: World, D: Data, F: Filter>(
    world: WorldCell<'_, W>,
    columns: impl Fn() -> (D::Columns, F::Columns),
    mut f: impl FnMut(D::Item<'_>),
) {
    // SAFETY: the caller's promise: every item is given out once, to `f`, which takes it for any lifetime. The only word
    // is within bounds, and the bit says that its slot matches.
    unsafe { each_of!(world, columns, |item| f(item)) }
}

/// As [`each`], of a function that takes the items as its parameters.
///
/// # Safety
/// As for [`query`](super::param::query), of what `columns` gives.
#[inline]
pub unsafe fn each_with_tuple<W: World, D: Data, F: Filter>(
    world: WorldCell<'_, W>,
    columns: impl Fn() -> (D::Columns, F::Columns),
    mut f: impl for<'q> CallWithTuple<D::Item<'q>>,
) {
    // SAFETY: as in `each`.
    unsafe { each_of!(world, columns, |item| f.call(item)) }
}

/// The loop of [`each`] where there is more than one entity. It stands apart, and asks for the columns again, so that one
/// entity does not save the registers that only the loop needs.
///
/// # Safety
/// As for [`each`].
#[cfg(not(debug_assertions))]
#[inline(never)]
unsafe fn walk<W: World, D: Data, F: Filter>(
    world: WorldCell<'_, W>,
    columns: impl Fn() -> (D::Columns, F::Columns),
    f: impl FnMut(D::Item<'_>),
) {
    let (data, filter) = columns();
    // SAFETY: the caller's promise: every item is given out once, to `f`, which takes it for any lifetime.
    unsafe {
        let rows = Rows::new(data, filter, world.entities());
        rows.each::<D>(rows.first, f);
    }
}
