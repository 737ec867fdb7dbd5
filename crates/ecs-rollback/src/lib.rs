//! Rollback for worlds of [`ecs`]: two or more programs run the same world, each sends only the
//! inputs of its own players, and no program waits for the others. The network part is [`ggrs`].
//!
//! A program runs a frame with the inputs that it has, and with a prediction for those that have
//! not arrived. If a prediction was wrong, it restores the snapshot of that frame and runs the
//! frames since then again. [`Rollback`] owns the world and the session, and does this: it takes a
//! [`Snapshot`](ecs::Snapshot) where the session asks for a save, restores it where the session
//! asks for a load, and runs the schedule where the session asks for a frame. The world gets the
//! inputs as the resource [`Inputs`].
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_rollback::{Inputs, Offline, PlayerType, Rollback, builder};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
//! struct Keys { left: bool, right: bool }
//!
//! #[derive(Component, Clone, Serialize, Deserialize)]
//! struct Player(usize);
//! #[derive(Component, Clone, Serialize, Deserialize)]
//! struct Place(i32);
//!
//! world! {
//!     #[derive(Clone, Serialize, Deserialize)]            // for snapshots, and for hashes
//!     struct Duel {
//!         components { Player, Place }
//!         resources  { inputs: Inputs<Keys> = Inputs::new(2) }
//!     }
//!     schedule tick { walk }
//! }
//!
//! #[system(Duel)]
//! fn walk(place: &mut Place, player: &Player, inputs: Res<Inputs<Keys>>) {
//!     place.0 += i32::from(inputs[player.0].right) - i32::from(inputs[player.0].left);
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut world = Duel::new();
//! world.spawn_batch([(Player(0), Place(-5)), (Player(1), Place(5))]);
//!
//! // both players at one keyboard; over a network, one of them is `PlayerType::Remote(address)` and the socket is a `DatagramSocket`
//! let session = builder::<Duel, Keys>()
//!     .add_player(PlayerType::Local, 0)?
//!     .add_player(PlayerType::Local, 1)?
//!     .start_p2p_session(Offline)?;
//! let mut duel = Rollback::new(world, session, Duel::tick);
//! for _ in 0..3 {                                         // the main loop, 60 times a second
//!     duel.advance([(0, Keys { right: true, ..Keys::default() }), (1, Keys::default())])?;
//!     for event in duel.events() {
//!         println!("{event}");
//!     }
//! }
//! let places: Vec<i32> = duel.world().query::<&Place>().iter().map(|place| place.0).collect();
//! assert_eq!((duel.frame(), places), (3, vec![-2, 5]));
//! # Ok(())
//! # }
//! ```
//!
//! # Sessions
//! [`builder`] returns a [`SessionBuilder`] of `ggrs` for a world, with
//! [`UDP addresses`](std::net::SocketAddr), a prediction that repeats the last input, and hashes of
//! the world that are compared with those of the other programs every [`HASH_INTERVAL`] frames. It
//! starts one of three sessions:
//!
//! | | |
//! |---|---|
//! | `start_p2p_session(socket)` | local players, and players of other programs |
//! | `start_spectator_session(host, socket)` | no players: the host sends all inputs |
//! | `start_synctest_session()` | local players only; each frame is run again several times and must have the same hash |
//!
//! Another type of address, or another prediction, is an argument of [`WorldConfig`]:
//! `SessionBuilder::<WorldConfig<Duel, Keys, PeerId>>::new()`.
//!
//! # What must be equal
//! All programs must begin with the same world, and their systems may depend on nothing outside of
//! the world: no clock, no random generator of the thread, no static. Then the worlds are equal bit
//! for bit at each confirmed frame, on any number of threads. If they are not:
//!
//! - a synctest session returns [`RollbackError::NotDeterministic`], with the frame and the values
//!   that differ;
//! - a peer-to-peer session gives [`SessionEvent::Desync`], with the frame and both hashes.
//!
//! [`Rollback`] lends the world for reading only, and takes the step as a function pointer, which
//! cannot capture anything. All that changes the world goes through the inputs.
//!
//! # Bad networks
//! [`LossySocket`] drops, delays and repeats messages of another socket, the same ones in each run,
//! for tests.

//!
//! # Hostile programs
//! A [`DatagramSocket`] reads at most 256 datagrams in a frame, and drops bytes that are no
//! message, or whose inputs would take much memory. A message that makes the session panic ends it
//! with [`RollbackError::Broken`]; the world stays as it is. Datagrams are neither encrypted nor
//! authenticated: a program that can send them under the address of a player can end the game.

#![forbid(unsafe_code)]

mod config;
mod error;
mod event;
mod inputs;
mod progress;
mod rollback;
mod session;
mod socket;

pub use config::{HASH_INTERVAL, PlayerInput, RollbackWorld, WorldConfig, builder};
pub use error::RollbackError;
pub use event::SessionEvent;
pub use ggrs;
pub use ggrs::{DesyncDetection, NonBlockingSocket, PlayerType, SessionBuilder};
pub use inputs::Inputs;
pub use progress::Progress;
pub use rollback::Rollback;
pub use session::Session;
pub use socket::datagram::DatagramSocket;
pub use socket::lossy::LossySocket;
pub use socket::offline::Offline;

/// The program of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
