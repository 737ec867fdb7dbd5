//! [`Limits`]: the bounds of what a server accepts from each client, and of what it keeps for it.

/// The bounds of what a server accepts from each client, and of what it keeps for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The longest message of a client, in bytes.
    pub message: usize,
    /// The most messages of a client between two calls of
    /// [`messages`](crate::Server::messages).
    pub messages: usize,
    /// The most new inputs in one message, and between two calls of
    /// [`messages`](crate::Server::messages). Inputs beyond that wait at the client.
    pub inputs: usize,
    /// The most sent frames that the server tells apart of those that the client has not
    /// acknowledged: more than the ticks until an answer arrives. With later answers, messages get
    /// longer, up to the length of the whole state.
    pub frames: usize,
    /// The fewest frames between two whole states that a client is sent because it asked for them,
    /// and between two messages that repeat a whole state because the client has not acknowledged
    /// it.
    pub pause: u64,
    /// The most events that wait until a client has received them.
    pub events: usize,
    /// The most bytes of events in a message, of each of the two kinds; also of one event.
    pub event_bytes: usize,
    /// The most entities of which the [priority](crate::Server::set_priority) is asked in a tick,
    /// for each client.
    pub priorities: usize,
}

impl Default for Limits {
    /// 256 messages of 4 KiB, 64 inputs, 64 frames, a pause of 8 frames, 256 events with 1 KiB in a
    /// message, and 1,024 priorities.
    fn default() -> Self {
        Self {
            message: 4096,
            messages: 256,
            inputs: 64,
            frames: 64,
            pause: 8,
            events: 256,
            event_bytes: 1024,
            priorities: 1024,
        }
    }
}
