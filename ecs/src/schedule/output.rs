//! The output types that systems and conditions of a schedule may have, and functions of systems
//! whose output type is erased.
//!
//! The nodes of a schedule are one array, whatever the output types of their systems. So a node
//! stores the function of its system as an [`ErasedRun`], together with a [`TypedRun`] that
//! restores the type and converts the output.
#![expect(unsafe_code, reason = "the output type of a function pointer is erased and restored by transmutes")]

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::error::Error;
use core::mem::transmute;

use super::failures::Failures;
use super::panics::{Payload, catch};
use crate::raw_world::{RawWorld, WorldCell};
use crate::system::desc::SystemKind;
use crate::system::failure::Contained;
use crate::system::{System, SystemDesc, SystemState};

/// The error of a system that failed.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// A type that a system in a schedule may return: `()`, or `Result<(), E>` if `FAILS`, for a
/// schedule declared `-> Result`.
///
/// # Safety
/// `IS_UNIT` is true for `()` only: a system with `IS_UNIT` is called as a function that returns
/// `()`.
#[diagnostic::on_unimplemented(
    message = "this system returns `{Self}`, and its schedule does not take that",
    label = "returns `{Self}`",
    note = "a schedule takes systems that return nothing; `schedule NAME -> Result {{ .. }}` takes those that return `Result<(), E>`, too, and stops at the first error",
    note = "a system that returns something else is run by itself: `world.run::<system>()`"
)]
pub unsafe trait Outcome<const FAILS: bool>: Sized {
    /// Whether the type is `()`.
    #[doc(hidden)]
    const IS_UNIT: bool = false;
    #[doc(hidden)]
    fn into_result(self) -> Result<(), Failure>;
    /// The output of a system that was skipped by one of its parameters.
    #[doc(hidden)]
    fn skipped() -> Self;
}

// SAFETY: this is `()`.
unsafe impl<const FAILS: bool> Outcome<FAILS> for () {
    const IS_UNIT: bool = true;
    #[inline(always)]
    fn into_result(self) -> Result<(), Failure> {
        Ok(())
    }
    fn skipped() -> Self {}
}

/// The output of an observer: nothing.
#[diagnostic::on_unimplemented(
    message = "this observer returns `{Self}`, and an observer returns nothing",
    label = "returns `{Self}`",
    note = "handle the error in the system, or write it to a resource or an event"
)]
pub trait ObserverOutput: Outcome<false> {}
#[diagnostic::do_not_recommend]
impl ObserverOutput for () {}

/// The error of a system: a type that implements [`Error`], or a text. Implemented for all types
/// that convert to a boxed error.
#[diagnostic::on_unimplemented(
    message = "a system returns `Result<(), {Self}>`, and `{Self}` is not an error",
    label = "`{Self}` does not implement `std::error::Error`",
    note = "write `Result<(), Box<dyn std::error::Error + Send + Sync>>` for any error, or `Result<(), String>` for a text; an error of your own implements `std::error::Error`, and is `Send` and `Sync`"
)]
pub trait IntoFailure {
    #[doc(hidden)]
    fn into_failure(self) -> Box<dyn Error + Send + Sync>;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Failure>> IntoFailure for E {
    #[inline(always)]
    fn into_failure(self) -> Failure {
        self.into()
    }
}

// SAFETY: `IS_UNIT` is false.
unsafe impl<E: IntoFailure> Outcome<true> for Result<(), E> {
    #[inline(always)]
    fn into_result(self) -> Result<(), Failure> {
        self.map_err(IntoFailure::into_failure)
    }
    fn skipped() -> Self {
        Ok(())
    }
}

/// The type that a condition must return: `bool`.
#[diagnostic::on_unimplemented(
    message = "a condition returns `bool`, and this system returns `{Self}`",
    label = "returns `{Self}`, not `bool`",
    note = "a system after `if` returns `bool`: `fn name(..) -> bool`"
)]
pub trait ConditionOutput: Sized {
    #[doc(hidden)]
    fn into_bool(self) -> bool;
}

#[diagnostic::do_not_recommend]
impl ConditionOutput for bool {
    #[inline(always)]
    fn into_bool(self) -> bool {
        self
    }
}

/// The output of a system with a mistake that was reported: a step and a condition may return it.
pub struct BrokenOutput;

#[diagnostic::do_not_recommend]
// SAFETY: this is not `()`, and `IS_UNIT` is false.
unsafe impl<const FAILS: bool> Outcome<FAILS> for BrokenOutput {
    fn into_result(self) -> Result<(), Failure> {
        Ok(())
    }
    fn skipped() -> Self {
        Self
    }
}

#[diagnostic::do_not_recommend]
impl ObserverOutput for BrokenOutput {}

#[diagnostic::do_not_recommend]
impl ConditionOutput for BrokenOutput {
    fn into_bool(self) -> bool {
        false
    }
}

/// The system in place of one with a mistake that was reported, where the macro has its name only.
pub struct BrokenSystem;

// SAFETY: it accesses nothing.
unsafe impl<W: RawWorld> System<W> for BrokenSystem {
    const DESC: SystemDesc<W> = SystemDesc { kind: SystemKind::Broken, ..SystemDesc::new("broken", &[]) };
    type Out = BrokenOutput;
    unsafe fn run(_: WorldCell<'_, W>, _: &mut SystemState) -> BrokenOutput {
        BrokenOutput
    }
}

/// The function of a system with its output type erased. It must be transmuted back before it is
/// called.
pub(super) type ErasedRun<W> = unsafe fn(WorldCell<'_, W>, &mut SystemState);
/// A function that restores the output type of an [`ErasedRun`], calls it, and converts the output
/// to `R`.
pub(super) type TypedRun<W, R> = unsafe fn(ErasedRun<W>, WorldCell<'_, W>, &mut SystemState) -> R;

/// Calls an erased system whose output type is `Out`.
///
/// # Safety
/// `run` was erased from a function that returns `Out`, and the contract of that function holds for
/// `world` and `state`.
unsafe fn call_erased<W: RawWorld, Out>(
    run: ErasedRun<W>,
    world: WorldCell<'_, W>,
    state: &mut SystemState,
) -> Out {
    // SAFETY: `run` was erased from a function that returns `Out`, as the caller promises, so that
    // this restores its type.
    let run = unsafe { transmute::<ErasedRun<W>, unsafe fn(WorldCell<'_, W>, &mut SystemState) -> Out>(run) };
    // SAFETY: the contract of `run` holds, as the caller promises.
    unsafe { run(world, state) }
}

/// The [`TypedRun`] of a system.
///
/// # Safety
/// The contract of [`call_erased`].
pub(super) unsafe fn call_system<W: RawWorld, const FAILS: bool, Out: Outcome<FAILS>>(
    run: ErasedRun<W>,
    world: WorldCell<'_, W>,
    state: &mut SystemState,
) -> Result<(), Failure> {
    // SAFETY: this function has the contract of `call_erased`.
    unsafe { call_erased::<W, Out>(run, world, state) }.into_result()
}

/// The [`TypedRun`] of a system that ends only itself if it fails: the state gets the failure.
///
/// # Safety
/// The contract of [`call_erased`].
pub(super) unsafe fn call_contained<W: RawWorld, Out: Outcome<true>>(
    run: ErasedRun<W>,
    world: WorldCell<'_, W>,
    state: &mut SystemState,
) -> Result<(), Failure> {
    // the text and the drop of an error are a user's, and may panic, too
    let done = catch(|| {
        // SAFETY: this function has the contract of `call_erased`. After a panic the parameters are
        // gone, and the executor discards what the system has deferred.
        let done = unsafe { call_erased::<W, Out>(run, world, state) }.into_result();
        done.map_err(|error| match error.downcast::<Failures>() {
            Ok(nested) => Contained::Nested(nested.0),
            Err(error) => Contained::One { reason: error.to_string(), panicked: false },
        })
    });
    match done {
        Ok(Ok(())) => {}
        Ok(Err(failed)) => state.fail(failed),
        Err(payload) => state.fail(Contained::One { reason: text_of(payload), panicked: true }),
    }
    Ok(())
}

/// The text of a panic; empty if its payload is none.
#[cold]
fn text_of(payload: Payload) -> String {
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => match payload.downcast::<&'static str>() {
            Ok(text) => (*text).to_owned(),
            Err(payload) => {
                core::mem::forget(payload); // its drop is a user's, and may panic
                String::new()
            }
        },
    }
}

/// The [`TypedRun`] of a condition.
///
/// # Safety
/// The contract of [`call_erased`].
pub(super) unsafe fn call_condition<W: RawWorld, Out: ConditionOutput>(
    run: ErasedRun<W>,
    world: WorldCell<'_, W>,
    state: &mut SystemState,
) -> bool {
    // SAFETY: this function has the contract of `call_erased`.
    unsafe { call_erased::<W, Out>(run, world, state) }.into_bool()
}

/// Erases the output type of a system's function.
pub(super) const fn erase<W: RawWorld, Out>(
    run: unsafe fn(WorldCell<'_, W>, &mut SystemState) -> Out,
) -> ErasedRun<W> {
    // SAFETY: all function pointers have one layout, and `call_erased` restores the type before the
    // call.
    unsafe { transmute(run) }
}
