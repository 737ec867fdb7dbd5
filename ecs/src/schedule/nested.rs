//! [`Nested`]: a schedule of `world!` as a system of another one.
#![expect(unsafe_code, reason = "a nested schedule is a system that borrows the whole world")]

use super::plan::plans;
use crate::error::SystemError;
use crate::raw_world::{RawWorld, WorldCell};
use crate::system::{Access, ParamInfo, ParamKind, System, SystemState};

/// The schedule with index `INDEX` of a world, as a system. `FAILS` is whether it is declared `-> Result`.
pub struct Nested<const INDEX: usize, const FAILS: bool>;

const PARAMS: &[ParamInfo] =
    &[ParamInfo { name: "world", kind: ParamKind::WholeWorld, access: Access::EXCLUSIVE }];

// SAFETY: `run` borrows the whole world, as `EXCLUSIVE` and `PARAMS` declare.
unsafe impl<W: RawWorld, const INDEX: usize> System<W> for Nested<INDEX, false> {
    const NAME: &'static str = "schedule";
    const PARAMS: &'static [ParamInfo] = PARAMS;
    const EXCLUSIVE: bool = true;
    type Out = ();
    unsafe fn run(world: WorldCell<'_, W>, _: &mut SystemState) {
        // SAFETY: the executor runs an exclusive system alone, with its state outside of the world, so that no other borrow of the
        // world is alive.
        schedule::<W, INDEX>(unsafe { world.world_mut() });
    }
}

// SAFETY: `run` borrows the whole world, as `EXCLUSIVE` and `PARAMS` declare.
unsafe impl<W: RawWorld, const INDEX: usize> System<W> for Nested<INDEX, true> {
    const NAME: &'static str = "schedule";
    const PARAMS: &'static [ParamInfo] = PARAMS;
    const EXCLUSIVE: bool = true;
    type Out = Result<(), SystemError>;
    unsafe fn run(world: WorldCell<'_, W>, _: &mut SystemState) -> Result<(), SystemError> {
        // SAFETY: the executor runs an exclusive system alone, with its state outside of the world, so that no other borrow of the
        // world is alive.
        try_schedule::<W, INDEX>(unsafe { world.world_mut() })
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
