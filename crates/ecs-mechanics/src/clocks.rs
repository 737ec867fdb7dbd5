//! Three clocks of a game: wall time as it is measured, frame time with a longest step, and game
//! time, which is scaled and paused.
//!
//! The program advances the wall clock before it runs the schedule [`advance`], and the two others
//! follow:
//!
//! | resource | delta | use |
//! |---|---|---|
//! | `Clock<Wall>` | the time that has passed | network, statistics |
//! | `Clock<Frame>` | that of the wall, at most 250 ms unless [`set_max_step`](Clock::set_max_step) says otherwise | menus, animation |
//! | `Clock<Game>` | that of the frame, scaled; zero while the game is paused | the rules of the game |
//!
//! ```
//! use std::time::Duration;
//!
//! use ecs::prelude::*;
//! use ecs_mechanics::clocks::{self, Clock, Frame, Game, Wall};
//!
//! world! {
//!     struct Arena { include clocks::clocks; }
//!     schedule frame { include clocks::advance }
//! }
//!
//! let mut arena = Arena::new();
//! arena.resource_mut::<Clock<Game>>().set_scale(1, 2);                    // slow motion
//! arena.resource_mut::<Clock<Wall>>().advance(Duration::from_secs(3));    // the machine was suspended
//! arena.frame();
//! assert_eq!(arena.resource::<Clock<Wall>>().delta(), Duration::from_secs(3));
//! assert_eq!(arena.resource::<Clock<Frame>>().delta(), Duration::from_millis(250));
//! assert_eq!(arena.resource::<Clock<Game>>().delta(), Duration::from_millis(125));
//! ```
//!
//! The parts [`fixed_step`] have the [`FixedTime`] of mechanics that run in steps of one length,
//! such as [`movement`](crate::movement): 60 in a second, or as the world says,
//! `include clocks::fixed_step { FixedTime = FixedTime::new(Duration::from_millis(10)) }`. Let it
//! follow a clock by `time.advance(clock.delta())` before the schedule `every FixedTime`.

use std::time::Duration;

use ecs::prelude::*;
pub use ecs::time::Clock;
use ecs::time::follow;

/// The tag of the clock that the program advances by the time that it has measured.
pub enum Wall {}

/// The tag of the clock that cuts long steps.
pub enum Frame {}

/// The tag of the clock of the game's rules.
pub enum Game {}

/// The longest step of a new frame clock.
pub const MAX_STEP: Duration = Duration::from_millis(250);

/// The length of a step of a new [`FixedTime`]: a sixtieth of a second.
pub const STEP: Duration = Duration::from_nanos(16_666_667);

parts! {
    /// The clocks.
    pub clocks {
        resources {
            /// The time as it is measured.
            wall_clock: Clock<Wall> = Clock::new(),
            /// The time of the wall clock, in steps of limited length.
            frame_clock: Clock<Frame> = Clock::new().with_max_step(MAX_STEP),
            /// The time of the frame clock, scaled.
            game_clock: Clock<Game> = Clock::new(),
        }
        schedule advance { follow::<Wall, Frame>; follow::<Frame, Game> }
    }
}

parts! {
    /// The clock of schedules that run in steps of one length.
    pub fixed_step {
        resources {
            /// The time in steps of one length.
            fixed_time: FixedTime = FixedTime::new(STEP),
        }
    }
}
