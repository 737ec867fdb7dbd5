//! Server and clients over links that lose, repeat, delay and reorder messages.

mod budget;
mod edges;
mod events;
mod game;
mod hostile;
mod jitter;
mod join;
mod link;
mod model;
mod rules;
mod sides;
mod wire;
