//! [`Nested`]: a schedule of `world!` as a system of another one.
#![expect(unsafe_code, reason = "a schedule takes the whole world")]

use super::failures::Failures;
use super::plan::plans;
use crate::base::access::{Access, ParamInfo, ParamKind};
use crate::error::SystemError;
use crate::raw_world::{RawWorld, WorldCell};
use crate::system::{System, SystemDesc, SystemKind, SystemState};

/// The schedule with index `INDEX` of a world, as a system. `FAILS` is whether it is declared
/// `-> Result`.
pub struct Nested<const INDEX: usize, const FAILS: bool>;

/// The description of a schedule as a system.
const fn desc<W: RawWorld, const INDEX: usize>() -> SystemDesc<W> {
    let world = &[ParamInfo { name: "world", kind: ParamKind::WholeWorld, access: Access::EXCLUSIVE }];
    SystemDesc { kind: SystemKind::Schedule(skip::<W, INDEX>), ..SystemDesc::new("schedule", world) }
}

// SAFETY: `run` borrows the whole world, as the parameters declare.
#[diagnostic::do_not_recommend]
unsafe impl<W: RawWorld, const INDEX: usize> System<W> for Nested<INDEX, false> {
    const DESC: SystemDesc<W> = desc::<W, INDEX>();
    type Out = ();
    unsafe fn run(world: WorldCell<'_, W>, _: &mut SystemState) {
        // SAFETY: by the contract no other borrow of the world is alive, and the state is not part
        // of it.
        schedule::<W, INDEX>(unsafe { world.world_mut() });
    }
}

// SAFETY: `run` borrows the whole world, as the parameters declare.
#[diagnostic::do_not_recommend]
unsafe impl<W: RawWorld, const INDEX: usize> System<W> for Nested<INDEX, true> {
    const DESC: SystemDesc<W> = desc::<W, INDEX>();
    type Out = Result<(), SystemError>;
    unsafe fn run(world: WorldCell<'_, W>, _: &mut SystemState) -> Result<(), SystemError> {
        // SAFETY: by the contract no other borrow of the world is alive, and the state is not part
        // of it.
        try_schedule::<W, INDEX>(unsafe { world.world_mut() })
    }
}

/// The schedule with index `INDEX` of a world, which is declared `-> Failures`, as a system.
pub struct NestedFailures<const INDEX: usize>;

// SAFETY: `run` borrows the whole world, as the parameters declare.
#[diagnostic::do_not_recommend]
unsafe impl<W: RawWorld, const INDEX: usize> System<W> for NestedFailures<INDEX> {
    const DESC: SystemDesc<W> = desc::<W, INDEX>();
    type Out = Result<(), Failures>;
    unsafe fn run(world: WorldCell<'_, W>, _: &mut SystemState) -> Result<(), Failures> {
        // SAFETY: by the contract no other borrow of the world is alive, and the state is not part
        // of it.
        let failures = contained_schedule::<W, INDEX>(unsafe { world.world_mut() });
        if failures.is_empty() { Ok(()) } else { Err(failures) }
    }
}

/// Runs the schedule with this number. The plan is looked up here and not in the expansion, since
/// `cargo check` evaluates all constants that functions of the user's crate name.
pub fn schedule<W: RawWorld, const INDEX: usize>(world: &mut W) {
    super::run::run(world, plans::<W>()[INDEX]);
}

/// Runs the schedule with this number, whose systems may fail.
pub fn try_schedule<W: RawWorld, const INDEX: usize>(world: &mut W) -> Result<(), SystemError> {
    super::run::run_fallible(world, plans::<W>()[INDEX])
}

/// Runs the schedule with this number, whose systems end only themselves if they fail.
pub fn contained_schedule<W: RawWorld, const INDEX: usize>(world: &mut W) -> Failures {
    super::run::run_contained(world, plans::<W>()[INDEX])
}

/// Skips the systems of the schedule with this number, which `in_state` has refused where another
/// schedule names it.
fn skip<W: RawWorld, const INDEX: usize>(world: &mut W) {
    super::run::skip_all(world, plans::<W>()[INDEX]);
}
