//! [`Client`]: the received part of a world, and the inputs that the server has not received.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use ecs::save::{ComponentList, Replica, Selection};
use ecs::{Entity, World};
use serde::Serialize;

use crate::error::MessageError;
use crate::message::{CLIENT_HEAD, ClientHead, ServerMessage};
use crate::parts::{self, Assembly};
use crate::server::Limits;

/// The client's side of replication, with inputs of type `I`.
///
/// The received entities are in a world of the program, together with its own entities. The program
/// must neither despawn received entities nor change their received components, except between
/// [`predict`](crate::Prediction::predict) and [`undo`](crate::Prediction::undo). Components that
/// are not replicated, such as sprites, are its own. See the [crate](crate).
pub struct Client<W: World, I> {
    selection: Selection<W>,
    replica: Replica,
    /// The longest message, in bytes.
    most: usize,
    /// The most inputs that wait for the server.
    most_inputs: usize,
    /// The longest message to the server, in bytes.
    most_sent: usize,
    connection: Option<u64>,
    begin_anew: bool,
    /// The parts of messages that have arrived as datagrams.
    assembly: Assembly,
    /// The number of the first of `inputs`.
    first: u64,
    inputs: VecDeque<I>,
}

impl<W: World, I: Serialize> Client<W, I> {
    /// Makes a client that receives the components `C`: those of the server's views, in the same
    /// order. The worlds need not be of one type.
    ///
    /// `replica` has the limits for the server's deltas, and `limit` is that of a message, in
    /// bytes.
    #[must_use]
    pub fn new<C: ComponentList<W>>(replica: Replica, limit: usize) -> Self {
        Self {
            selection: Selection::of::<C>(),
            replica,
            most: limit,
            most_inputs: 64,
            most_sent: Limits::default().message,
            connection: None,
            begin_anew: false,
            assembly: Assembly::default(),
            first: 0,
            inputs: VecDeque::new(),
        }
    }

    /// Limits the number of inputs that the server has not received; the default is 64, as in
    /// [`Limits`].
    #[must_use]
    pub fn most_inputs(self, most: usize) -> Self {
        Self { most_inputs: most, ..self }
    }

    /// Limits the length of a message to the server, in bytes; the default is 4,096, as in
    /// [`Limits`]. It is at most [`Limits::message`] of the server, which refuses a longer message,
    /// and would not hear the client any more.
    #[must_use]
    pub fn most_sent(self, most: usize) -> Self {
        Self { most_sent: most, ..self }
    }

    /// The frame of the received state; 0 before the first one.
    #[must_use]
    pub fn frame(&self) -> u64 {
        self.replica.frame()
    }

    /// The received entities: pairs of the server's id and the id in this world.
    #[must_use]
    pub fn replica(&self) -> &Replica {
        &self.replica
    }

    /// Reads a message of the server, or one of its datagrams, and brings the world to its frame.
    /// Returns `false`, and changes nothing, for a message that is not newer than the received
    /// state, or starts from a later one, and for a datagram whose message is not complete.
    ///
    /// After the changes, the hash of all received entities is compared with that of the server.
    ///
    /// # Errors
    /// If the message is damaged, too long, or does not fit the world. After
    /// [`MessageError::Delta`] and [`Differs`](MessageError::Differs), the next
    /// [`message`](Self::message) asks the server for the whole state.
    ///
    /// # Panics
    /// If code of a component panics: see [`Selection::apply`].
    pub fn receive(&mut self, world: &mut W, bytes: &[u8]) -> Result<bool, MessageError> {
        if parts::is_part(bytes) {
            let message = self.assembly.add(bytes, self.most)?;
            return message.map_or(Ok(false), |message| self.receive_message(world, &message));
        }
        self.receive_message(world, bytes)
    }

    fn receive_message(&mut self, world: &mut W, bytes: &[u8]) -> Result<bool, MessageError> {
        if bytes.len() > self.most {
            return Err(MessageError::TooLong { length: bytes.len(), limit: self.most });
        }
        let message = ServerMessage::from_bytes(bytes)?;
        let ServerMessage { connection, from, begun, frame, hash, inputs, delta } = message;
        let is_new = self.connection != Some(connection);
        if is_new && (self.connection.is_some_and(|known| known > connection) || from > 0) {
            return Ok(false);
        }
        let (first, waiting) = if is_new { (0, 0) } else { (self.first, self.inputs.len() as u64) };
        let received = inputs.saturating_sub(first);
        if received > waiting {
            return Err(MessageError::Damaged);
        }
        if is_new {
            self.replica.clear(world);
            self.inputs.clear();
            (self.connection, self.first, self.begin_anew) = (Some(connection), 0, false);
        }
        self.inputs.drain(..received as usize);
        self.first += received;
        if frame <= self.frame() {
            return Ok(false);
        }
        if from == 0 && (self.begin_anew || self.frame() < begun) {
            // a state of before this beginning, or one that differs
            self.replica.clear(world);
            self.begin_anew = false;
        }
        // the state from which the changes start was in a message that is lost or late
        if from > self.frame() || self.begin_anew {
            return Ok(false);
        }
        self.begin_anew = true;
        match self.selection.apply(world, &mut self.replica, delta) {
            Ok(_) if self.replica.frame() == frame => {}
            Ok(_) => return Err(MessageError::Damaged),
            Err(error) => return Err(MessageError::Delta(error)),
        }
        if self.hash(world) != Some(hash) {
            return Err(MessageError::Differs { frame });
        }
        self.begin_anew = false;
        Ok(true)
    }

    /// The hash of the received entities by the server's ids; `None` if a value cannot be
    /// serialized.
    fn hash(&self, world: &W) -> Option<u64> {
        let ids: HashMap<Entity, Entity> =
            self.replica.iter().map(|(sender, local)| (local, sender)).collect();
        self.selection.hash_by(world, |local| ids.get(&local).copied()).ok()
    }

    /// Adds an input for the server. Returns `false`, and adds nothing, if too many inputs wait,
    /// before the first message of the server, and if the input cannot be serialized or is longer
    /// than a message may be.
    pub fn input(&mut self, input: I) -> bool {
        let fits = |bytes: Vec<u8>| CLIENT_HEAD + bytes.len() <= self.most_sent;
        let takes = self.connection.is_some()
            && self.inputs.len() < self.most_inputs
            && postcard::to_stdvec(&input).is_ok_and(fits);
        if takes {
            self.inputs.push_back(input);
        }
        takes
    }

    /// The inputs that the server has not received, as far as this client knows, in their order:
    /// those to [predict](crate::Prediction).
    pub fn waiting(&self) -> impl Iterator<Item = &I> {
        self.inputs.iter()
    }

    /// Returns a message for the server: the frame that was received, and the inputs that wait, as
    /// many as fit. To be sent in each tick; messages may be lost, repeated and reordered.
    ///
    /// # Errors
    /// If an input cannot be serialized.
    pub fn message(&self) -> Result<Vec<u8>, MessageError> {
        let known = self.connection.unwrap_or(0);
        let (loss, begins) = (self.assembly.loss(), self.assembly.connection() > known);
        let head = if begins {
            // the first message has not arrived as a whole, and the server learns the loss
            let connection = self.assembly.connection();
            ClientHead { connection, frame: 0, begin_anew: false, loss, first: 0, count: 0 }
        } else {
            let (frame, begin_anew) = (self.frame(), self.begin_anew);
            // the count is set with the inputs that fit
            ClientHead { connection: known, frame, begin_anew, loss, first: self.first, count: 0 }
        };
        head.into_bytes(self.inputs.iter().filter(|_| !begins), self.most_sent)
    }
}

impl<W: World, I> fmt::Debug for Client<W, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("connection", &self.connection)
            .field("frame", &self.replica.frame())
            .field("entities", &self.replica.len())
            .field("inputs", &self.inputs.len())
            .finish_non_exhaustive()
    }
}
