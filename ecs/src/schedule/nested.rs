//! A schedule as a step of another one.
#![expect(unsafe_code, reason = "a schedule is run as a system that takes the whole world")]

use crate::__private::{schedule, try_schedule};
use crate::error::SystemError;
use crate::system::{Access, ParamInfo, ParamKind, System, SystemState};
use crate::world::{World, WorldCell};

/// The schedule of a world with this number, as a system; `FAILS` if it may fail.
pub struct Nested<const INDEX: usize, const FAILS: bool>;

const PARAMS: &[ParamInfo] =
    &[ParamInfo { name: "world", kind: ParamKind::World, access: Access::EXCLUSIVE }];

// SAFETY: it takes the whole world, and says so.
unsafe impl<W: World, const INDEX: usize> System<W> for Nested<INDEX, false> {
    const NAME: &'static str = "schedule";
    const PARAMS: &'static [ParamInfo] = PARAMS;
    const EXCLUSIVE: bool = true;
    type Out = ();
    unsafe fn run(world: WorldCell<'_, W>, _: &mut SystemState) {
        // SAFETY: the caller's promise: nothing else of the world is lent.
        schedule::<W, INDEX>(unsafe { world.world_mut() });
    }
}

// SAFETY: as above.
unsafe impl<W: World, const INDEX: usize> System<W> for Nested<INDEX, true> {
    const NAME: &'static str = "schedule";
    const PARAMS: &'static [ParamInfo] = PARAMS;
    const EXCLUSIVE: bool = true;
    type Out = Result<(), SystemError>;
    unsafe fn run(world: WorldCell<'_, W>, _: &mut SystemState) -> Result<(), SystemError> {
        // SAFETY: as above.
        try_schedule::<W, INDEX>(unsafe { world.world_mut() })
    }
}
