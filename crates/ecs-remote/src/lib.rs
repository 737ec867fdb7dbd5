//! Worlds of [`ecs`] over HTTP, for tools that run beside a program: inspectors, consoles, scripts,
//! and the network.
//!
//! [`Remote`] is the queue of the requests that have arrived and are not answered. A server thread
//! reads requests from sockets and puts them there; it never touches the world. The program answers
//! them where it chooses, in an exclusive system or between two runs of a schedule, with
//! [`Remote::serve`]:
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_remote::{Options, Remote};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Serialize, Deserialize)]
//! struct Health { now: u32, max: u32 }
//!
//! world! {
//!     #[derive(Reflect)]
//!     struct Game {
//!         components { Health, ChildOf }
//!         resources { Remote }
//!     }
//!     schedule tick { remote; heal }
//! }
//!
//! #[system(Game)]
//! fn remote(game: &mut Game) {
//!     game.resource::<Remote>().clone().serve(game);
//! }
//!
//! #[system(Game)]
//! fn heal(health: &mut Health) {
//!     health.now = health.max.min(health.now + 1);
//! }
//!
//! # fn main() -> std::io::Result<()> {
//! let mut game = Game::new(Remote::bind(Options::new().port(0))?); // port 0: any free port
//! game.spawn(Health { now: 3, max: 7 });
//! game.tick();
//! # Ok(())
//! # }
//! ```
//!
//! # Protocols
//! - `POST /` is JSON-RPC 2.0 with the methods of the Bevy Remote Protocol: `world.query`,
//!   `world.get_components`, and so on.
//! - The other paths are the subset of the REST interface of flecs that the flecs explorer asks
//!   for: `GET /entity/..`, `GET /query`, `PUT /component/..`, and so on.
//!
//! - The methods with `+watch` answer with server-sent events: the changes of components of an
//!   entity, rows of a query, a resource, or events, one message for each call of `serve` at which
//!   something has changed.
//!
//! - [`Remote::extend`] adds methods of the program to JSON-RPC, for instance that of the terminal
//!   inspector of `checked-ecs-inspect`.
//!
//! The guide has an example of each.
//!
//! # Safety of the program
//! The server listens on the loopback unless [`Options::address`] says otherwise. It refuses
//! requests that a web page of another site sends ([`Options::origin`]), and changes of the world
//! unless [`Options::writes`] allows them; [`Options::reads`] asks for a token for reading, too.
//! [`Limits`] bounds connections, sizes, the rate of requests, their number and time in one call of
//! `serve`, and the work of one request. A request that takes longer than the time of a call goes
//! on in the next one. `#[component(hidden)]` and [`Options::allow`] hide types from all requests.
//!
//! # Determinism
//! A run of a world depends on the requests and on the calls of `serve` that answered them.
//! [`Remote::record`] keeps both, and [`Remote::replay`] answers them again in the same calls,
//! without a server. [`Remote::record_all`] keeps the answers, too, so that a session is a test.
//! Clients that watch change nothing.

mod dispatch;
mod extension;
mod history;
mod ids;
mod job;
mod json_rpc;
mod options;
mod parts;
mod queue;
mod recording;
mod remote;
mod rest;
mod server;
mod watch;

pub use dispatch::{Dispatcher, Method, Request, Response};
pub use options::{Limits, Options, Reads, Writes};
pub use recording::{Mismatch, Recording, RecordingError};
pub use remote::{Remote, Served};
/// The JSON library, in the version that [`Remote::extend`] needs.
pub use serde_json;

/// The program of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
