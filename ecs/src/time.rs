//! Clocks and timers that are data of a world: no function here reads the time of the machine.
//!
//! The program tells a [`Clock`] how much time has passed; everything else follows from that by
//! integer arithmetic in nanoseconds. So the same calls give the same world on every machine, and
//! clones, snapshots and saves of a world continue in the middle of a second.
//!
//! - [`Clock`]: a resource that can be scaled and paused, and that cuts long steps. A world can
//!   have any number of them, each with a tag of its own.
//! - [`Timer`] and [`Stopwatch`]: values for components, resources and [`Local`](crate::Local)s.
//! - [`Delayed`]: a resource with events that are sent later, and with [commands](DelayedCommand)
//!   that are applied later. [`Commands::after`](crate::Commands::after) adds to it.
//! - [`earliest`]: the time at which the next thing is due in a whole world.
//! - [`follow`], [`every_period`], [`every_nth`], [`send_due`] and [`apply_due`]: systems and
//!   conditions that schedules name, the two conditions also as `spawn every 0.5 s` and
//!   `spawn every 60`.
//!
//! A schedule that runs in steps of a fixed length has a [`FixedTime`](crate::FixedTime).
//! [`advance_fixed`] lets it follow a clock.
//!
//! ```
//! use std::time::Duration;
//!
//! use ecs::prelude::*;
//! use ecs::time::{every_millis, follow};
//!
//! enum Real {}
//! enum Play {}
//! #[derive(Resource, Default)]
//! struct Waves(u32);
//!
//! world! {
//!     struct Game {
//!         resources {
//!             real: Clock<Real> = Clock::new().with_max_step(Duration::from_millis(250)),
//!             play: Clock<Play> = Clock::new().with_scale(1, 2),          // half as fast
//!             Waves = Waves::default(),
//!         }
//!     }
//!     schedule frame {
//!         follow::<Real, Play>;
//!         next_wave if every_millis::<Play, 100>;
//!     }
//! }
//!
//! #[system(Game)]
//! fn next_wave(mut waves: ResMut<Waves>) {
//!     waves.0 += 1;
//! }
//!
//! let mut game = Game::new();
//! for _ in 0..40 {
//!     game.resource_mut::<Clock<Real>>().advance(Duration::from_millis(25));     // measured by the program
//!     game.frame();
//! }
//! assert_eq!(game.resource::<Clock<Play>>().elapsed(), Duration::from_millis(500));
//! assert_eq!(game.resource::<Waves>().0, 5);
//! ```

mod clock;
mod commands;
mod delayed;
mod earliest;
pub(crate) mod period;
mod systems;
mod timer;

use core::time::Duration;

pub use self::clock::Clock;
pub use self::commands::{
    DelayedCall, DelayedCommand, DelayedIn, DespawnEntity, InsertBundle, RemoveBundle, SpawnBundle,
};
pub use self::delayed::Delayed;
pub use self::earliest::earliest;
pub use self::systems::{
    advance_fixed, apply_due, every_millis, every_nth, every_period, every_runs, follow, send_due,
};
pub use self::timer::{Stopwatch, Timer};

const NANOS_PER_SEC: u128 = 1_000_000_000;

/// The duration of this number of nanoseconds, or the longest one.
fn from_nanos(nanos: u128) -> Duration {
    let nanos_of_second = (nanos % NANOS_PER_SEC) as u32;
    u64::try_from(nanos / NANOS_PER_SEC).map_or(Duration::MAX, |secs| Duration::new(secs, nanos_of_second))
}

/// The number, or the greatest `u64`.
fn saturated(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
