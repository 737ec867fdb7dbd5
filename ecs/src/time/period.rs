//! The condition that a time behind `every` stands for: `spawn_wave every 0.5 s`.
#![expect(unsafe_code, reason = "forwards the contract of systems to a system with an input")]

use core::time::Duration;

use super::{Clock, every_period};
use crate::raw_world::{HasResource, WorldCell};
use crate::system::{InputSystem, System, SystemDesc, SystemState};

/// A world with the clock without a tag, which tells the times behind `every`.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no resource `Clock`, and a time after `every` is a time of this clock",
    label = "`Clock` is not a resource of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `resources {{ clock: ecs::time::Clock = ecs::time::Clock::new() }}`, and advance it once a frame; \
            the clocks of `ecs_mechanics` have tags: include them, and write `if every_period::<Game>(Duration::from_millis(500))`, of `ecs::time`, with the tag of one of them; \
            `every 60` counts runs and needs no clock"
)]
pub trait HasClock: HasResource<Clock> {}
#[diagnostic::do_not_recommend]
impl<W: HasResource<Clock>> HasClock for W {}

/// Condition: [`every_period`] of the clock without a tag, for a period of so many nanoseconds.
pub struct Period<const NANOS: u64>;

// SAFETY: the description and the function are those of `every_period`, whose implementation has
// the contract of `System`.
unsafe impl<W: HasClock, const NANOS: u64> System<W> for Period<NANOS> {
    const DESC: SystemDesc<W> = <every_period<()> as InputSystem<W>>::DESC;
    type Out = bool;
    unsafe fn run(world: WorldCell<'_, W>, state: &mut SystemState) -> bool {
        // SAFETY: this function has the contract of `every_period`'s.
        unsafe {
            <every_period<()> as InputSystem<W>>::run(world, state, const { Duration::from_nanos(NANOS) })
        }
    }
}
