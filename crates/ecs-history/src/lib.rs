//! A time machine for worlds of [`ecs`]: go back to any run of a game, step through its systems in
//! both directions, and ask which system has changed a value.
//!
//! A [`History`] takes a [snapshot](ecs::Snapshot) before each run. Snapshots share what did not
//! change, and a run has the same result each time it is repeated, so that everything between two
//! snapshots can be found by running again.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_history::{Cause, History, Limit};
//!
//! #[derive(Component, Clone, PartialEq, Debug)]
//! struct Health(i32);
//! #[derive(Component, Clone)]
//! struct Poisoned;
//!
//! world! {
//!     #[derive(Clone)]                                    // for snapshots
//!     struct Game { components { Health, Poisoned } }
//!     schedule tick { poison; bury; }
//! }
//!
//! #[system(Game)]
//! fn poison(health: &mut Health, _: With<Poisoned>) {
//!     health.0 -= 3;
//! }
//!
//! #[system(Game)]
//! fn bury(all: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
//!     all.iter().filter(|(_, health)| health.0 <= 0).for_each(|(dead, _)| commands.despawn(dead));
//! }
//!
//! let mut game = Game::new();
//! let goblin = game.spawn((Health(7), Poisoned));
//! let mut history = History::new(Limit::runs(600));       // ten seconds
//! for _ in 0..5 {
//!     history.run(&mut game, Game::tick);
//! }
//!
//! // who killed the goblin?
//! let (run, cause) = history.when_despawned(&game, goblin).unwrap();
//! assert_eq!((run, cause.to_string()), (2, "bury (commands)".into()));
//! let hurt = history.changes::<Health>(&game, goblin);
//! assert_eq!(hurt[1].before, Some(Health(4)));
//! assert!(matches!(hurt[1].cause, Cause::Step(step) if step.system == "poison"));
//!
//! // inside of that run: before its commands were applied, the goblin is there
//! let mut inside = history.inside(&game, run)?;
//! inside.run_to("bury");
//! assert_eq!(inside.world().get(goblin), Some(&Health(-2)));
//!
//! // back to before that run, cure it, and run on; the other future is a branch
//! history.go_to(&mut game, run)?;
//! game.remove::<Poisoned>(goblin)?;
//! history.run(&mut game, Game::tick);
//! assert_eq!(game.get(goblin), Some(&Health(1)));
//! assert_eq!(history.branches()[0].runs(), 2..5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What can be repeated
//! Everything that is in the world: values, events, states of systems, ids, order. A run that reads
//! a clock, a static, a file, or random numbers that are not in the world may have another result
//! when it is repeated: [`History::verify`] finds the system. The input of a run belongs to the
//! closure that [`History::run`] gets, or is sent to the world before the run. Results of
//! [background systems](ecs::background) arrive when their threads end, so that they are not
//! repeated in the same run.
//!
//! # Bug reports
//! A [`BlackBox`] writes a file if a run panics or fails, and a [`Recording`] makes that run again:
//! in a test, or step by step. It needs the feature `serde`, which is on by default.
//!
//! # Cost
//! A run costs a snapshot more: a copy of the pages that were written since the last one. The
//! questions cost what they say. Old states can be [thinned out](History::thin).

#![forbid(unsafe_code)]

#[cfg(feature = "serde")]
mod black_box;
mod changes;
mod error;
mod history;
mod inside;
mod limit;
#[cfg(feature = "reflect")]
mod machine;
#[cfg(feature = "reflect")]
mod methods;
mod repeat;
mod verify;

#[cfg(feature = "serde")]
pub use black_box::{BlackBox, Recording};
pub use changes::{Cause, Change, FirstWhen};
#[cfg(feature = "reflect")]
pub use error::TimelineError;
#[cfg(feature = "serde")]
pub use error::{BlackBoxError, FailedRun};
pub use error::{NoSuchRun, NotRepeatable};
pub use history::{Branch, History};
pub use inside::Inside;
pub use limit::Limit;
#[cfg(feature = "reflect")]
pub use machine::{Place, TimeMachine, Timeline, TimelineState};
#[cfg(feature = "reflect")]
pub use methods::Method;

/// The program of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
