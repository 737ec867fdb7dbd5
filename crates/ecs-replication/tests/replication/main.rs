//! Server and clients over links that lose, repeat, delay and reorder messages.

mod edges;
mod game;
mod hostile;
mod link;
mod model;
mod sides;
