//! [`Nested`]: a schedule of `world!` as a system of another one.
#![expect(unsafe_code, reason = "a nested schedule is a system that borrows the whole world")]

use crate::__private::{schedule, try_schedule};
use crate::error::SystemError;
use crate::system::{Access, ParamInfo, ParamKind, System, SystemState};
use crate::world::{World, WorldCell};

/// The schedule with index `INDEX` of a world, as a system. `FAILS` is whether it is declared `-> Result`.
pub struct Nested<const INDEX: usize, const FAILS: bool>;

const PARAMS: &[ParamInfo] =
    &[ParamInfo { name: "world", kind: ParamKind::World, access: Access::EXCLUSIVE }];

// SAFETY: `run` borrows the whole world, as `EXCLUSIVE` and `PARAMS` declare.
unsafe impl<W: World, const INDEX: usize> System<W> for Nested<INDEX, false> {
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
unsafe impl<W: World, const INDEX: usize> System<W> for Nested<INDEX, true> {
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
