//! [`SystemParam`] for tuples of up to twelve parameters.
//!
//! `#[system]` takes a tuple apart by itself, where it sees one. These implementations are for
//! closures, and for tuples behind an alias or in a `#[derive(SystemParam)]` struct.
#![expect(unsafe_code, reason = "forwards the contracts of the elements")]

use super::shared_param::{SharedOutput, SharedParam};
use super::{Access, ParamInfo, ParamKind, SystemParam, SystemPhase};
use crate::base::tuples::for_tuples;
use crate::raw_world::{RawWorld, WorldCell};

macro_rules! params {
    ($($name:ident $index:tt)*) => {
        #[diagnostic::do_not_recommend]
        // SAFETY: `ACCESS` has the access of every element, and the caller of `get` has excluded
        // clashes between them.
        unsafe impl<W: RawWorld, $($name: SystemParam<W>),*> SystemParam<W> for ($($name,)*) {
            const ACCESS: Access = Access::of_fields(&[$(ParamInfo {
                name: stringify!($index),
                kind: ParamKind::Other,
                access: $name::ACCESS,
            }),*]);
            type State = ($($name::State,)*);
            type Item<'w> = ($($name::Item<'w>,)*);
            fn init(world: &mut W) -> Self::State {
                ($($name::init(world),)*)
            }
            #[inline(always)]
            unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut Self::State) -> Self::Item<'w> {
                // SAFETY: `ACCESS` contains the access of every element, so the caller's promise
                // holds for each of them.
                unsafe { ($($name::get(world, &mut state.$index),)*) }
            }
            #[inline(always)]
            fn lend<'a>(item: &'a mut Self::Item<'_>) -> Self::Item<'a> {
                ($($name::lend(&mut item.$index),)*)
            }
            #[inline]
            unsafe fn finish(world: WorldCell<'_, W>, state: &mut Self::State, phase: &mut SystemPhase<'_, W>) {
                // SAFETY: `ACCESS` contains the access of every element, so the caller's promise
                // holds for each of them.
                unsafe { $($name::finish(world, &mut state.$index, phase);)* }
            }
            unsafe fn has_news(world: WorldCell<'_, W>, state: &mut Self::State) -> bool {
                // every element is asked: `Entered` and `Exited` note what they have seen
                // SAFETY: the caller promises that no one else accesses the world.
                unsafe { false $(| $name::has_news(world, &mut state.$index))* }
            }
            const MAY_SKIP: bool = false $(|| $name::MAY_SKIP)*;
            #[inline(always)]
            unsafe fn is_ready(world: WorldCell<'_, W>, state: &mut Self::State) -> bool {
                // SAFETY: `ACCESS` contains the access of every element, so the caller's promise
                // holds for each of them.
                unsafe { true $(&& $name::is_ready(world, &mut state.$index))* }
            }
        }

        #[diagnostic::do_not_recommend]
        // SAFETY: each element is shared, with an output of its own.
        unsafe impl<W: RawWorld, $($name: SharedParam<W>),*> SharedParam<W> for ($($name,)*) {
            fn output() -> SharedOutput {
                SharedOutput::list([$($name::output()),*])
            }
            #[allow(non_snake_case)]
            fn share<'a>(item: &'a Self::Item<'_>, output: &'a mut SharedOutput) -> Self::Item<'a> {
                let [$($name),*] = output.list_mut();
                ($($name::share(&item.$index, $name),)*)
            }
            #[allow(non_snake_case)]
            fn join(item: &mut Self::Item<'_>, output: &mut SharedOutput) {
                let [$($name),*] = output.list_mut();
                $($name::join(&mut item.$index, $name);)*
            }
        }
    };
}

#[diagnostic::do_not_recommend]
// SAFETY: the item gives access to nothing.
unsafe impl<W: RawWorld> SystemParam<W> for () {
    const ACCESS: Access = Access::NONE;
    type State = ();
    type Item<'w> = ();
    fn init(_: &mut W) {}
    unsafe fn get(_: WorldCell<'_, W>, (): &mut ()) {}
    fn lend((): &mut ()) {}
}

for_tuples!(params);
