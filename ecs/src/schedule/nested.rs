//! [`Nested`]: a schedule of `world!` as a system of another one.

use super::plan::plans;
use crate::error::SystemError;
use crate::raw_world::RawWorld;
use crate::system::function::{ExclusiveFn, ExclusiveSystem};

/// The schedule with index `INDEX` of a world, as a system. `FAILS` is whether it is declared `-> Result`.
pub type Nested<const INDEX: usize, const FAILS: bool> = ExclusiveSystem<NestedSchedule<INDEX, FAILS>>;

/// The function of [`Nested`].
pub struct NestedSchedule<const INDEX: usize, const FAILS: bool>;

impl<W: RawWorld, const INDEX: usize> ExclusiveFn<W> for NestedSchedule<INDEX, false> {
    const NAME: &'static str = "schedule";
    const SKIP_INNER: Option<fn(&mut W)> = Some(skip::<W, INDEX>);
    type Out = ();
    fn run(world: &mut W) {
        schedule::<W, INDEX>(world);
    }
}

impl<W: RawWorld, const INDEX: usize> ExclusiveFn<W> for NestedSchedule<INDEX, true> {
    const NAME: &'static str = "schedule";
    const SKIP_INNER: Option<fn(&mut W)> = Some(skip::<W, INDEX>);
    type Out = Result<(), SystemError>;
    fn run(world: &mut W) -> Result<(), SystemError> {
        try_schedule::<W, INDEX>(world)
    }
}

/// Runs the schedule with this number. The plan is looked up here and not in the expansion, since `cargo check` evaluates all
/// constants that functions of the user's crate name.
pub fn schedule<W: RawWorld, const INDEX: usize>(world: &mut W) {
    super::run::run(world, plans::<W>()[INDEX]);
}

/// Runs the schedule with this number, whose systems may fail.
pub fn try_schedule<W: RawWorld, const INDEX: usize>(world: &mut W) -> Result<(), SystemError> {
    super::run::run_fallible(world, plans::<W>()[INDEX])
}

/// Skips the systems of the schedule with this number, which `in_state` has refused where another schedule names it.
fn skip<W: RawWorld, const INDEX: usize>(world: &mut W) {
    super::run::skip_all(world, plans::<W>()[INDEX]);
}
