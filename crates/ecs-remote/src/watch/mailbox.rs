//! [`Mailbox`]: the messages of a watch on their way from the program to a connection. It keeps a
//! few of them, so that a client that does not read takes no more memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use hyper::body::Bytes;

/// The messages that wait for a client that has not read them: a few long ones, or short ones of so
/// many bytes. A client that gets a long state first has time to read it.
const WAITING: usize = 4;
const WAITING_BYTES: usize = 64 << 10;

/// The parts of a message, of which some may be empty. The second one is shared by all clients that
/// watch the same.
pub(crate) type Message = [Bytes; 3];

/// The bytes of a message, at least some for each one.
fn length(message: &Message) -> usize {
    size_of::<Message>() + message.iter().map(Bytes::len).sum::<usize>()
}

/// The end of the program.
pub(crate) struct Mailbox(Arc<Mutex<MailboxState>>);

/// The end of the connection.
pub(crate) struct Messages(Arc<Mutex<MailboxState>>);

#[derive(Default)]
struct MailboxState {
    messages: VecDeque<Message>,
    /// The bytes of the messages.
    bytes: usize,
    /// The rest of the message that is written.
    parts: VecDeque<Bytes>,
    /// Wakes the connection.
    waker: Option<Waker>,
    /// The program sends no more messages.
    is_ended: bool,
    /// The connection is closed.
    is_closed: bool,
}

fn lock(state: &Mutex<MailboxState>) -> MutexGuard<'_, MailboxState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Mailbox {
    pub(crate) fn new() -> (Self, Messages) {
        let state = Arc::default();
        (Self(Arc::clone(&state)), Messages(state))
    }

    /// Whether the client has closed its connection.
    pub(crate) fn is_closed(&self) -> bool {
        lock(&self.0).is_closed
    }

    /// Whether the client has read enough for another message.
    pub(crate) fn has_room(&self) -> bool {
        let state = lock(&self.0);
        state.messages.len() < WAITING || state.bytes < WAITING_BYTES
    }

    /// Adds a message. The connection is to be woken.
    #[must_use]
    pub(crate) fn send(&self, message: Message) -> Option<Waker> {
        let mut state = lock(&self.0);
        state.bytes += length(&message);
        state.messages.push_back(message);
        state.waker.take()
    }
}

impl Drop for Mailbox {
    /// Ends the watch: the connection writes the messages that are left.
    fn drop(&mut self) {
        let waker = {
            let mut state = lock(&self.0);
            state.is_ended = true;
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Messages {
    /// The next part of a message; `None` at the end of the watch.
    pub(crate) fn poll_part(&self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut state = lock(&self.0);
        if state.parts.is_empty()
            && let Some(message) = state.messages.pop_front()
        {
            state.bytes -= length(&message);
            state.parts.extend(message.into_iter().filter(|part| !part.is_empty()));
        }
        match state.parts.pop_front() {
            Some(part) => Poll::Ready(Some(part)),
            None if state.is_ended => Poll::Ready(None),
            None => {
                state.waker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }

    /// Another handle, which tells the end of the watch.
    pub(crate) fn end(&self) -> WatchEnd {
        WatchEnd(Arc::clone(&self.0))
    }
}

impl Drop for Messages {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.is_closed = true;
        (state.messages, state.parts, state.bytes) = Default::default();
    }
}

/// Tells the end of a watch.
pub(crate) struct WatchEnd(Arc<Mutex<MailboxState>>);

impl WatchEnd {
    /// Whether the program sends no more messages.
    pub(crate) fn poll(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = lock(&self.0);
        if state.is_ended {
            return Poll::Ready(());
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}
