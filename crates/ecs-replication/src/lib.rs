//! Replication for worlds of [`ecs`]: a server has the world, and each client a copy of the part
//! that it may see.
//!
//! The crate has no sockets, threads or clocks. [`Server::messages`] returns bytes for each client
//! after each tick, and [`Client::message`] returns bytes for the server. Any transport carries
//! them, reliably or not: `renet`, `quinn`, a WebSocket. Messages may be lost, repeated and
//! reordered.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs::save::{Replica, Selection};
//! use ecs_replication::{Client, ClientId, Limits, Server};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
//! struct Place(i32);
//! #[derive(Component, Clone)]
//! struct Hidden;
//!
//! world! { #[derive(Clone)] struct Game { components { Place, Hidden } } }
//!
//! /// What a player wants.
//! #[derive(Clone, Serialize, Deserialize)]
//! enum Input { Step(i32) }
//!
//! let mut game = Game::new();
//! let hero = game.spawn(Place(0));
//! game.spawn((Place(7), Hidden));
//! let mut server = Server::<Game, Input>::new(1, Limits::default());
//! let ann = ClientId(1);
//! server.connect(ann);
//!
//! let mut copy = Game::new();
//! let mut client = Client::<Game, Input>::new::<Place>(Replica::new(), 1 << 20);
//! for frame in 1..=3 {
//!     // the server: inputs, the tick, messages
//!     for Input::Step(step) in server.receive(ann, &client.message()?)? {
//!         game.get_mut::<Place>(hero).unwrap().0 += step.clamp(-1, 1); // the server decides what is allowed
//!     }
//!     let messages = server.messages(&mut game, frame, |_, _| Selection::of::<Place>().without::<Hidden>())?;
//!     // the client: what it sees, and its next input
//!     for (_, message) in messages {
//!         client.receive(&mut copy, &message)?;
//!     }
//!     client.input(Input::Step(5));
//! }
//! let seen = client.replica().get(hero).expect("it is not hidden");
//! assert_eq!(copy.get(seen), Some(&Place(2)));
//! assert_eq!(client.replica().len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//! After each tick, the server finds what changed in each client's view since the tick before. A
//! message has the newest values of all that changed since the frame that the client has
//! acknowledged, each once. It brings a client at any of the frames since to the newest one, so
//! that a lost message needs no answer, and it is longer than the whole state only by the entities
//! and values that have left. A client that connects, or whose world differs, is sent the whole
//! state. After each message, the client compares a hash of all received entities with that of the
//! server.
//!
//! [`Server::datagrams`] divides messages into datagrams, for a transport without that. A message
//! of many has spare ones by the loss that the client measures, so that any that are enough make
//! it.
//!
//! A client with a [budget](Server::set_budget) is sent the changes of as many entities as fit into
//! its message. The server notes which message had which changes, and the client tells which
//! messages it has applied. A message has all changes of an entity that the client may lack, so
//! that the entity is of one frame after it, whichever messages were lost.
//!
//! | task | how |
//! |---|---|
//! | components of all clients | the type parameter of [`Selection::of`](ecs::save::Selection::of) |
//! | entities that a client sees | the closure of [`Server::messages`] |
//! | components that a client sees of some entities only | [`Selection::restrict`](ecs::save::Selection::restrict) in the closure |
//! | entities by a relation or an index | [`interest`] in the closure |
//! | late join, reconnect | [`Server::connect`], or [`Server::join`] over bare datagrams |
//! | restart of the server from a save | [`Server::new`] with a greater `session`, and `connect` for each client that comes back |
//! | a bound for the bytes of a client | [`Server::set_budget`] and [`Server::set_priority`] |
//! | events for clients | [`Server::send`], [`Client::events`] |
//! | clients of another version | [`MessageError::OtherVersion`] |
//! | prediction | [`Prediction`] |
//! | drawing between ticks | [`Interpolation`], and [`JitterBuffer`] for the delay |
//! | fewer bits for a component | [`quantize!`] and [`Wire`] in the list of components |
//!
//! # Trust
//! The server accepts from a client the numbers of frames and events, inputs, a token, and the name
//! of a component that differs. A damaged, repeated,
//! oversized or impossible message is a [`MessageError`], and changes nothing. For each client the
//! server keeps the slots that changed in at most [`Limits::frames`] steps, and a snapshot that
//! shares unchanged pages with the world. A client limits what the server may ask for by its
//! [`Replica`](ecs::save::Replica).
mod backlog;
mod client;
mod connection;
mod error;
mod events;
mod interest;
mod interpolate;
mod jitter;
mod limits;
mod message;
mod parts;
mod predict;
mod quantity;
mod server;
mod token;
mod version;
mod view;

pub use client::Client;
pub use ecs::save::{Wire, WireForm};
pub use error::MessageError;
pub use interest::interest;
pub use interpolate::{Interpolate, Interpolation};
pub use jitter::JitterBuffer;
pub use limits::Limits;
pub use predict::Prediction;
pub use quantity::Quantity;
#[doc(hidden)]
pub use quantity::{Bits, Number, Numbers};
pub use server::{ClientId, Server};
pub use token::same_token;
pub use version::VersionDifference;

/// The program of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
