//! [`Offline`]: the socket of a session without other programs.

use std::hash::Hash;

use ggrs::{Message, NonBlockingSocket};

/// A socket that sends and receives nothing, for a session whose players are all local.
#[derive(Clone, Copy, Default, Debug)]
pub struct Offline;

impl<A: Clone + Eq + Hash + Send + Sync> NonBlockingSocket<A> for Offline {
    fn send_to(&mut self, _: &Message, _: &A) {}

    fn receive_all_messages(&mut self) -> Vec<(A, Message)> {
        Vec::new()
    }
}
