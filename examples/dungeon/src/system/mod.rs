//! The systems of a turn, by theme.
//!
//! Each system is a function whose parameters declare the data that it reads and writes and its
//! events. Systems do not call each other: they communicate through components and events, in the
//! order of the schedule of [`Dungeon`](crate::world::Dungeon).

mod combat;
mod deaths;
mod doors;
mod ending;
mod items;
mod minds;
mod motion;
mod pack;
mod story;

pub use self::combat::{infect, recover, shoot, sicken, strike, wound};
pub use self::deaths::{bequeath, burst, bury, fall, learn};
pub use self::doors::{close_doors, open};
pub use self::ending::{climb, is_playing, judge};
pub use self::items::{blink, burn, chart, equipped, quaff, ready, use_up};
pub use self::minds::{act, announce, decide, notice, track, weigh};
pub use self::motion::{stride, survey, tread};
pub use self::pack::{pick_up, reach, stow};
pub use self::story::narrate;
