//! Requests over sockets and without them.

#![expect(
    elided_lifetimes_in_paths,
    unreachable_pub,
    reason = "systems are written as users write them; a test has no users"
)]

mod acceptance;
mod budget;
mod client;
mod clients;
mod game;
mod guide;
mod hostile;
mod json_rpc;
mod python;
mod recordings;
mod rest;
mod server;
mod sharing;
mod streams;
mod watch;
