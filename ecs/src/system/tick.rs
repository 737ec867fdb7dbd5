//! [`Tick`] as a system parameter: the tick of the run.
#![expect(
    unsafe_code,
    reason = "implements the unsafe trait of parameters; a tick is a number and borrows nothing"
)]

use super::SystemParam;
use crate::base::access::Access;
use crate::base::tick::Tick;
use crate::raw_world::{RawWorld, WorldCell};

/// System parameter: the tick of this run of the system, for [`Query::since`](crate::Query::since) in a later one.
// SAFETY: the item is a number, and gives access to nothing.
unsafe impl<W: RawWorld> SystemParam<W> for Tick {
    const ACCESS: Access = Access::NONE.timed();
    type State = ();
    type Item<'w> = Self;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get(world: WorldCell<'_, W>, (): &mut ()) -> Self {
        Self(world.this_run())
    }
    #[inline(always)]
    fn lend(item: &mut Self) -> Self {
        *item
    }
}
