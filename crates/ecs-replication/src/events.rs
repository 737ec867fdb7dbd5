//! Events of the server: [`Outbox`] has those that a client has not received, and [`Inbox`] those
//! that its program has not read.
//!
//! In a message, each event has its length before it. Reliable events have numbers that follow one
//! another.

use std::collections::VecDeque;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::MessageError;
use crate::limits::Limits;
use crate::message::{at_once, taken, written};

/// The most events that wait for the program of a client.
const MOST_UNREAD: usize = 4096;

/// The events of a message.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Events<'d> {
    /// The number of the first reliable event.
    pub(crate) first: u64,
    #[serde(serialize_with = "at_once")]
    pub(crate) reliable: &'d [u8],
    /// The events that are sent once.
    #[serde(serialize_with = "at_once")]
    pub(crate) once: &'d [u8],
}

/// The events that a client has not received, as far as the server knows.
#[derive(Default)]
pub(crate) struct Outbox {
    /// The number of the first that waits.
    first: u64,
    waiting: VecDeque<Vec<u8>>,
    /// The events of the next message that are sent once.
    once: Vec<u8>,
}

/// The event with its length before it.
fn framed<E: Serialize>(event: &E) -> Result<Vec<u8>, MessageError> {
    let body = written(Vec::new(), event)?;
    let mut framed = written(Vec::with_capacity(body.len() + 5), &body.len())?;
    framed.extend_from_slice(&body);
    Ok(framed)
}

impl Outbox {
    /// Adds a reliable event; `false` if it is too long, or if too many wait.
    pub(crate) fn push<E: Serialize>(&mut self, event: &E, limits: &Limits) -> bool {
        let Ok(event) = framed(event) else { return false };
        let fits = event.len() <= limits.event_bytes && self.waiting.len() < limits.events;
        if fits {
            self.waiting.push_back(event);
        }
        fits
    }

    /// Adds an event to the next message; `false` if it has no room for it.
    pub(crate) fn push_once<E: Serialize>(&mut self, event: &E, limits: &Limits) -> bool {
        let Ok(event) = framed(event) else { return false };
        let fits = self.once.len() + event.len() <= limits.event_bytes;
        if fits {
            self.once.extend_from_slice(&event);
        }
        fits
    }

    /// Whether the client can have received so many.
    pub(crate) fn can_have_received(&self, number: u64) -> bool {
        number <= self.first + self.waiting.len() as u64
    }

    /// Whether the client has received one.
    pub(crate) fn are_received(&self) -> bool {
        self.first > 0
    }

    /// Drops those before this number, which the client has received.
    pub(crate) fn drop_received(&mut self, number: u64) {
        let received = number.saturating_sub(self.first).min(self.waiting.len() as u64);
        self.waiting.drain(..received as usize);
        self.first += received;
    }

    /// The bytes of the first reliable events, as many as fit, and at least one.
    pub(crate) fn batch(&self, most: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for event in &self.waiting {
            if !bytes.is_empty() && bytes.len() + event.len() > most {
                break;
            }
            bytes.extend_from_slice(event);
        }
        bytes
    }

    /// The events of the next message.
    pub(crate) fn events<'d>(&'d self, batch: &'d [u8]) -> Events<'d> {
        Events { first: self.first, reliable: batch, once: &self.once }
    }

    /// Forgets the events that are sent once, after a message with them.
    pub(crate) fn clear_once(&mut self) {
        self.once.clear();
    }
}

/// Events that were read, until the state of their message is applied.
pub(crate) struct Arrived<E> {
    reliable: Vec<E>,
    once: Vec<E>,
}

/// The events that the program of a client has not read.
pub(crate) struct Inbox<E> {
    /// The number of reliable events that were received.
    received: u64,
    unread: VecDeque<E>,
}

impl<E> Default for Inbox<E> {
    fn default() -> Self {
        Self { received: 0, unread: VecDeque::new() }
    }
}

impl<E: DeserializeOwned> Inbox<E> {
    /// The number of reliable events that were received.
    pub(crate) fn received(&self) -> u64 {
        self.received
    }

    /// Begins with the events of another connection.
    pub(crate) fn begin(&mut self) {
        self.received = 0;
    }

    /// Reads the events of a message that are new, of a connection of which so many were received.
    pub(crate) fn read(events: &Events<'_>, received: u64) -> Result<Arrived<E>, MessageError> {
        let (mut rest, mut number, mut reliable) = (events.reliable, events.first, Vec::new());
        if number > received {
            return Err(MessageError::Damaged);
        }
        while !rest.is_empty() {
            let event = one(&mut rest)?;
            if number >= received {
                reliable.push(event);
            }
            number = number.saturating_add(1);
        }
        let (mut rest, mut once) = (events.once, Vec::new());
        while !rest.is_empty() {
            once.push(one(&mut rest)?);
        }
        Ok(Arrived { reliable, once })
    }

    /// Takes events that were read. Reliable ones that have no room come again.
    pub(crate) fn take(&mut self, arrived: Arrived<E>) {
        let room = |unread: &VecDeque<E>| MOST_UNREAD.saturating_sub(unread.len());
        let before = self.unread.len();
        self.unread.extend(arrived.reliable.into_iter().take(room(&self.unread)));
        self.received += (self.unread.len() - before) as u64;
        self.unread.extend(arrived.once.into_iter().take(room(&self.unread)));
    }

    pub(crate) fn drain(&mut self) -> impl Iterator<Item = E> + '_ {
        self.unread.drain(..)
    }
}

/// Reads an event.
fn one<E: DeserializeOwned>(rest: &mut &[u8]) -> Result<E, MessageError> {
    let mut body: &[u8] = taken(rest)?;
    let event = taken(&mut body)?;
    if body.is_empty() { Ok(event) } else { Err(MessageError::Damaged) }
}
