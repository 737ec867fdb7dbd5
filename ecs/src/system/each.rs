//! The loop of a per-entity system, and [`MutTarget`], which tells a system `fn(&mut Component)`,
//! which runs for each entity, from `fn(&mut World)`.
//!
//! If `&mut T` is the only reference among a system's parameters, the macro sees only the tokens of
//! `T`, which may be a type alias; so the trait decides by the type.
#![expect(unsafe_code, reason = "rows are walked by their bits")]

use crate::base::access::{Access, ParamKind};
use crate::base::tuples::for_tuples;
use crate::component::HasMut;
use crate::query::iter::Rows;
use crate::query::passed_over::{PassedColumnsList, PassedOver, PassedOverByQuery};
use crate::query::{Data, Filter, QueryData};
use crate::raw_world::{RawWorld, WorldCell};
use crate::storage::column_offset::columns_where;

/// A function that takes the elements of the tuple `Items` as its parameters.
///
/// With it, the loop calls the function of a per-entity system directly. A closure around each
/// system, which unpacks the tuple, would cost compile time.
pub trait CallWithTuple<Items> {
    #[doc(hidden)]
    fn call(&mut self, items: Items);
}

macro_rules! call_with_tuple {
    ($($item:ident $index:tt)*) => {
        impl<Function: FnMut($($item),*), $($item),*> CallWithTuple<($($item,)*)> for Function {
            #[inline(always)]
            #[allow(non_snake_case, clippy::too_many_arguments)]
            fn call(&mut self, ($($item,)*): ($($item,)*)) {
                self($($item),*);
            }
        }
    };
}

for_tuples!(call_with_tuple);

/// The loop of a per-entity system. A macro, since a function would be one more to compile for each
/// system.
macro_rules! each_of {
    ($world:ident, $columns:ident, |$item:ident| $call:expr) => {{
        let (data, filter) = $columns();
        let rows = Rows::new(data, filter, PassedOver::new($world, P::COLUMNS), $world.entities());
        if rows.first + 1 == rows.words {
            let mask = rows.mask(rows.first);
            // a single entity, such as a player or a camera, needs no loop
            if mask.is_power_of_two() {
                let $item = D::at(D::base(rows.data, rows.first), mask.trailing_zeros() as usize);
                $call;
                return;
            }
        }
        walk::<W, D, F, P>($world, $columns, |$item| $call);
    }};
}

/// Calls the function of a per-entity system with every item.
///
/// It does the same as `query(..).for_each(f)`, with less code, since it is compiled for each
/// system: the loop by the list of slots is a third of the code of a system, and only worlds with a
/// packed component have it. It is `#[inline]`, not `#[inline(always)]`: in a `dev` build it is
/// then compiled apart from the systems of a module, which the compiler compiles again whenever one
/// of them changes.
///
/// # Safety
/// `columns` returns the columns of `D` and `F` in `world`, `P` has those that they do not name,
/// and during the call no one accesses `world` in a way that clashes with `D` and `F`.
#[inline]
pub unsafe fn each<W: RawWorld, D: Data, F: Filter, P: PassedColumnsList>(
    world: WorldCell<'_, W>,
    columns: impl Fn() -> (D::Columns, F::Columns),
    mut f: impl FnMut(D::Item<'_>),
) {
    // SAFETY: the columns are those of `D` and `F` by the contract. Every item is given out once,
    // to `f`, which accepts any lifetime and so cannot keep it. The word `rows.first` is below
    // `rows.words`, and the bit says that its slot matches.
    unsafe { each_of!(world, columns, |item| f(item)) }
}

/// Calls the function of a per-entity system with the elements of every item as its parameters: see
/// [`each`].
///
/// # Safety
/// `columns` returns the columns of `D` and `F` in `world`, `P` has those that they do not name,
/// and during the call no one accesses `world` in a way that clashes with `D` and `F`.
#[inline]
pub unsafe fn each_with_tuple<W: RawWorld, D: Data, F: Filter, P: PassedColumnsList>(
    world: WorldCell<'_, W>,
    columns: impl Fn() -> (D::Columns, F::Columns),
    mut f: impl for<'q> CallWithTuple<D::Item<'q>>,
) {
    // SAFETY: the contract is that of `each`, and so is the loop.
    unsafe { each_of!(world, columns, |item| f.call(item)) }
}

/// The loop of [`each`] over more than one entity.
///
/// It is not inlined, and calls `columns` again, so that the path for one entity in `each` does not
/// save the registers that only the loop needs.
///
/// # Safety
/// The contract of [`each`].
#[inline(never)]
unsafe fn walk<W: RawWorld, D: Data, F: Filter, P: PassedColumnsList>(
    world: WorldCell<'_, W>,
    columns: impl Fn() -> (D::Columns, F::Columns),
    f: impl FnMut(D::Item<'_>),
) {
    let (data, filter) = columns();
    // SAFETY: the columns are those of `D` and `F` by the contract. Every item is given out once,
    // to `f`, which accepts any lifetime and so cannot keep it.
    unsafe {
        let rows = Rows::new(data, filter, PassedOver::new(world, P::COLUMNS), world.entities());
        if const { PackedColumns::<W>::EXIST } { rows.each::<D, true>(f) } else { rows.each::<D, false>(f) }
    }
}

/// The packed columns of a world.
struct PackedColumns<W>(core::marker::PhantomData<fn() -> W>);

impl<W: RawWorld> PackedColumns<W> {
    /// Whether there are any. A constant of the world, which is evaluated once for all systems.
    const EXIST: bool = !columns_where!(W, |offset| offset.packed).is_empty();
}

/// Marks targets that are components.
pub struct OfComponent;

/// Marks targets that are the world.
pub struct OfWorld;

/// A type `T` for which `&mut T` is a parameter of a system of world `W`: a component of `W`, or
/// `W` itself, for which `world!` implements the trait.
///
/// # Safety
/// `drive` accesses only the parts of the world that `ACCESS` declares. `KIND` is `World` if `Self`
/// is the world.
pub unsafe trait MutTarget<W: RawWorld, K> {
    /// The parts of the world that the parameter accesses.
    const ACCESS: Access;
    /// The kind of the parameter.
    const KIND: ParamKind;
    /// Calls `f` with every value of the component, or once with the world.
    ///
    /// # Safety
    /// The caller makes the promise of [`System`](super::System)'s `run` for a system with this
    /// parameter.
    #[doc(hidden)]
    unsafe fn drive(world: WorldCell<'_, W>, f: impl FnMut(&mut Self));
}

// SAFETY: `drive` makes a query for `&mut T`, and `ACCESS` is the access of this query.
unsafe impl<T: 'static, W: HasMut<T>> MutTarget<W, OfComponent> for T {
    const ACCESS: Access = <&mut T as QueryData<W>>::ACCESS;
    const KIND: ParamKind = ParamKind::RowData;
    #[inline(always)]
    unsafe fn drive(world: WorldCell<'_, W>, f: impl FnMut(&mut T)) {
        // SAFETY: the caller promises that no one else accesses `T` during the call; the columns
        // are those of `&mut T`.
        unsafe {
            let columns = move || (<&mut T as QueryData<W>>::columns(world), ());
            each::<W, &mut T, (), PassedOverByQuery<W, &mut T, ()>>(world, columns, f);
        };
    }
}
