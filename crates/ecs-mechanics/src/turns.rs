//! Turns: a clock for games in which time passes only by what the player does.
//!
//! The clock is a [`Clock`] with the tag [`Turn`], in which a turn is a second. So systems and
//! conditions that count the time of a clock count turns:
//! [`regenerate::<Health, Turn>`](crate::meters::regenerate),
//! [`every_millis::<Turn, 3000>`](fn@ecs::time::every_millis) for every third turn.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_mechanics::turns::{self, Clock, Turn, TurnClock, time_passes};
//!
//! #[derive(Event)]
//! struct Order { walk: bool }
//! #[derive(Resource, Default)]
//! struct Answers(u32);
//!
//! world! {
//!     struct Cave {
//!         include turns::turns;
//!         resources { Answers = Answers::default() }
//!         events { Order(external) }
//!     }
//!     schedule order { include turns::begin_order; obey; answer if time_passes }
//! }
//!
//! #[system(Cave)]
//! fn obey(mut orders: EventReader<Order>, mut clock: ResMut<Clock<Turn>>) {
//!     if orders.iter().any(|order| order.walk) {
//!         clock.spend();
//!     }
//! }
//!
//! #[system(Cave)]
//! fn answer(mut answers: ResMut<Answers>) {
//!     answers.0 += 1;
//! }
//!
//! let mut cave = Cave::new();
//! for walk in [true, false, true] {
//!     cave.send(Order { walk });
//!     cave.order();
//! }
//! assert_eq!((cave.resource::<Clock<Turn>>().turn(), cave.resource::<Answers>().0), (2, 2));
//! ```

use std::time::Duration;

use ecs::prelude::*;
pub use ecs::time::Clock;

/// The tag of the clock of turns.
pub enum Turn {}

/// The time of a turn on the [`Turn`] clock: a second.
pub const TURN: Duration = Duration::from_secs(1);

/// Methods of the [`Turn`] clock.
pub trait TurnClock {
    /// Marks the current order as one that takes a turn; once, however often it is called.
    fn spend(&mut self);
    /// Whether the current order takes a turn.
    fn passes(&self) -> bool;
    /// The number of turns that have passed.
    fn turn(&self) -> u64;
}

impl TurnClock for Clock<Turn> {
    fn spend(&mut self) {
        if !self.passes() {
            self.advance(TURN);
        }
    }

    fn passes(&self) -> bool {
        !self.delta().is_zero()
    }

    fn turn(&self) -> u64 {
        self.elapsed().as_secs()
    }
}

parts! {
    /// The clock of turns.
    pub turns {
        resources {
            /// The time in turns of a second.
            turn_clock: Clock<Turn> = Clock::new(),
        }
        schedule begin_order { begin }
    }
}

/// System: begins an order, which takes no time until a system calls [`TurnClock::spend`].
#[system]
pub fn begin(mut clock: ResMut<Clock<Turn>>) {
    clock.advance(Duration::ZERO);
}

/// Condition: whether the order takes a turn, so that the others may act.
#[system]
pub fn time_passes(clock: Res<Clock<Turn>>) -> bool {
    clock.passes()
}
