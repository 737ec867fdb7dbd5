//! [`Client`]: the received part of a world, and the inputs that the server has not received.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use ecs::save::{ComponentList, Replica, Selection, layout_hash};
use ecs::{Entity, World};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::MessageError;
use crate::events::Inbox;
use crate::limits::Limits;
use crate::message::{self, CLIENT_HEAD, ClientHead, OtherVersion, Refusal, ServerMessage};
use crate::parts::{self, Assembly};
use crate::version::Version;

/// The client's side of replication, with inputs of type `I` and events of type `E`.
///
/// The received entities are in a world of the program, together with its own entities. The program
/// must neither despawn received entities nor change their received components, except between
/// [`predict`](crate::Prediction::predict) and [`undo`](crate::Prediction::undo). Components that
/// are not replicated, such as sprites, are its own. See the [crate](crate).
pub struct Client<W: World, I, E = ()> {
    selection: Selection<W>,
    /// Another one, for hashes of some entities; it is taken while it is changed.
    some: Option<Selection<W>>,
    /// The hashes of the layouts of inputs and events.
    types: [u64; 2],
    replica: Replica,
    /// The longest message, in bytes.
    most: usize,
    /// The most inputs that wait for the server.
    most_inputs: usize,
    /// The longest message to the server, in bytes.
    most_sent: usize,
    connection: Option<u64>,
    /// The token that the server asks for, and whether it is sent in place of other messages.
    token: Option<Vec<u8>>,
    joins: bool,
    /// The message to a server of another version.
    other_version: Option<OtherVersion>,
    frames: AppliedFrames,
    /// The parts of messages that have arrived as datagrams.
    assembly: Assembly,
    /// The number of the first of `inputs`.
    first: u64,
    inputs: VecDeque<I>,
    events: Inbox<E>,
}

/// The frames that were applied.
struct AppliedFrames {
    /// Whether the client cannot apply what it gets, and needs the whole state.
    begin_anew: bool,
    /// A bit for each frame before the last one that was applied, the latest first, if it was not.
    missing: u64,
    /// Whether the server sends some of the changes in each message.
    has_budget: bool,
}

impl AppliedFrames {
    const NONE: Self = Self { begin_anew: false, missing: u64::MAX, has_budget: false };

    /// Notes that a frame was applied, so many after the last one.
    fn note_applied(&mut self, later: u64) {
        let shift = |bits: u64, by: u64| if by < 64 { bits << by } else { 0 };
        // the frames between are missing, and the last one is not
        let between = if later > 64 { u64::MAX } else { shift(1, later - 1) - 1 };
        self.missing = shift(self.missing, later) | between;
    }
}

impl<W: World, I: Serialize + DeserializeOwned, E: DeserializeOwned> Client<W, I, E> {
    /// Makes a client that receives the components `C`: those of the server's views, in the same
    /// order. The worlds need not be of one type.
    ///
    /// `replica` has the limits for the server's deltas, and `limit` is that of a message, in
    /// bytes.
    #[must_use]
    pub fn new<C: ComponentList<W>>(replica: Replica, limit: usize) -> Self {
        Self {
            selection: Selection::of::<C>(),
            some: Some(Selection::of::<C>()),
            types: [layout_hash::<I>(), layout_hash::<E>()],
            replica,
            most: limit,
            most_inputs: 64,
            most_sent: Limits::default().message,
            connection: None,
            token: None,
            joins: false,
            other_version: None,
            frames: AppliedFrames::NONE,
            assembly: Assembly::default(),
            first: 0,
            inputs: VecDeque::new(),
            events: Inbox::default(),
        }
    }

    /// Sets the bytes by which this client [joins](crate::Server::join): they are in its messages
    /// until a server has accepted them, and again if a server does not know the client, because
    /// it was started anew. For transports that do not connect clients themselves.
    #[must_use]
    pub fn token(self, token: &[u8]) -> Self {
        Self { token: Some(token.to_vec()), joins: true, ..self }
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

    /// The events of the server that the program has not read, in their order. One arrives with the
    /// state of its tick, or with a later one. An `Entity` in it is the server's: see
    /// [`Replica::get`]. To be called after [`receive`](Self::receive): of more than 4,096, the
    /// others come later.
    pub fn events(&mut self) -> impl Iterator<Item = E> + '_ {
        self.events.drain()
    }

    /// Reads a message of the server, or one of its datagrams, and brings the world to its frame.
    /// Returns `false`, and changes nothing, for a message that is not newer than the received
    /// state, or starts from a later one, for a datagram whose message is not complete, and for one
    /// that asks for the [token](Self::token).
    ///
    /// After the changes, the hash of all received entities is compared with that of the server;
    /// with a [budget](crate::Server::set_budget), that of some of them.
    ///
    /// # Errors
    /// If the message is damaged, too long, or does not fit the world. After
    /// [`MessageError::Delta`] and [`Differs`](MessageError::Differs), the next
    /// [`message`](Self::message) asks the server for the whole state. If the server is of
    /// [another version](MessageError::OtherVersion), the next message tells it so.
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
        if let Some(refusal) = Refusal::from_bytes(bytes)? {
            return self.note_refusal(refusal).map(|()| false);
        }
        let message = ServerMessage::from_bytes(bytes)?;
        let ServerMessage { connection, from, begun, frame, hash, hashed, inputs, version, events, delta } =
            message;
        let is_new = self.connection != Some(connection);
        if is_new && (self.connection.is_some_and(|known| known > connection) || from > 0) {
            return Ok(false);
        }
        if is_new && (inputs > 0 || events.first > 0) {
            // the program was started anew, and this is of the connection that it had before
            return Ok(false);
        }
        if !is_new && (inputs > self.sent() || events.first > self.events.received()) {
            // the program was started anew, and messages of the earlier one have arrived since
            self.joins = self.token.is_some();
            return Err(MessageError::Damaged);
        }
        self.check_version(connection, version)?;
        let received = if is_new { 0 } else { inputs.saturating_sub(self.first) };
        let arrived = Inbox::read(&events, if is_new { 0 } else { self.events.received() })?;
        if is_new {
            self.clear(world);
            self.inputs.clear();
            self.events.begin();
            (self.connection, self.first, self.frames.begin_anew) = (Some(connection), 0, false);
        }
        self.joins = false;
        self.inputs.drain(..received as usize);
        self.first += received;
        if frame <= self.frame() {
            return Ok(false);
        }
        // with a budget, only messages of a later beginning are complete together
        let begins = self.frame() < begun || self.frames.begin_anew && hashed.is_none();
        if from == 0 && begins {
            // a state of before this beginning, or one that differs
            self.clear(world);
            self.frames.begin_anew = false;
        }
        // the state from which the changes start was in a message that is lost or late
        if from > self.frame() || self.frames.begin_anew {
            return Ok(false);
        }
        self.frames.begin_anew = true;
        let before = self.frame();
        match self.selection.apply(world, &mut self.replica, delta) {
            Ok(_) if self.replica.frame() == frame => {}
            Ok(_) => return Err(MessageError::Damaged),
            Err(error) => return Err(MessageError::Delta(error)),
        }
        if self.hash(world, hashed) != Some(hash) {
            return Err(MessageError::Differs { frame });
        }
        self.frames.begin_anew = false;
        self.frames.note_applied(frame - before);
        self.frames.has_budget = hashed.is_some();
        self.events.take(arrived);
        Ok(true)
    }

    /// The number of inputs of this connection that may have been sent.
    fn sent(&self) -> u64 {
        self.first.saturating_add(self.inputs.len() as u64)
    }

    /// Forgets the received state.
    fn clear(&mut self, world: &mut W) {
        self.replica.clear(world);
        self.frames.missing = u64::MAX;
    }

    /// A server that does not know this client asks for its token, or has refused it.
    fn note_refusal(&mut self, refusal: Refusal) -> Result<(), MessageError> {
        // one that was sent before this connection was made
        if self.connection.is_some_and(|known| known >> 32 > u64::from(refusal.session)) {
            return Ok(());
        }
        if refusal.is_final {
            return Err(MessageError::Refused);
        }
        self.joins = self.token.is_some();
        if self.joins { Ok(()) } else { Err(MessageError::NotConnected) }
    }

    /// Compares the types of the server with those of this client, if the message has them.
    fn check_version(&mut self, connection: u64, version: &[u8]) -> Result<(), MessageError> {
        if version.is_empty() {
            return Ok(());
        }
        let server: Version<'_> = message::whole(version)?;
        let difference = server.difference(&Version::of(&self.selection, self.types));
        self.other_version = difference.clone().map(|difference| OtherVersion { connection, difference });
        difference.map_or(Ok(()), |difference| Err(MessageError::OtherVersion(difference)))
    }

    /// The hash of the received entities by the server's ids, or of those in some of the server's
    /// slots; `None` if a value cannot be serialized.
    fn hash(&mut self, world: &W, slots: Option<(u32, u32)>) -> Option<u64> {
        let Some((first, end)) = slots else {
            let ids: HashMap<Entity, Entity> =
                self.replica.iter().map(|(sender, local)| (local, sender)).collect();
            return self.selection.hash_by(world, |local| ids.get(&local).copied()).ok();
        };
        let some = self.replica.iter().skip_while(|(sender, _)| sender.slot() < first);
        let some = some.take_while(|(sender, _)| sender.slot() < end);
        let ids: HashMap<Entity, Entity> = some.map(|(sender, local)| (local, sender)).collect();
        let selection = self.some.take()?.only(ids.keys().copied());
        let hash = selection.hash_by(world, |local| ids.get(&local).copied()).ok();
        self.some = Some(selection);
        hash
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
    /// many as fit; or the [token](Self::token), or the difference to a server of another version.
    /// To be sent in each tick; messages may be lost, repeated and reordered.
    ///
    /// # Errors
    /// If an input cannot be serialized.
    pub fn message(&self) -> Result<Vec<u8>, MessageError> {
        if let Some(other) = &self.other_version {
            return other.to_bytes();
        }
        let known = self.connection.unwrap_or(0);
        let (loss, begins) = (self.assembly.loss(), self.assembly.connection() > known);
        if let Some(token) = self.token.as_ref().filter(|_| self.joins && !begins) {
            return Ok(message::join(token));
        }
        let nothing = ClientHead {
            connection: self.assembly.connection(),
            frame: 0,
            missing: 0,
            begin_anew: false,
            loss,
            events: 0,
            first: 0,
            count: 0,
        };
        let head = if begins {
            // the first message has not arrived as a whole, and the server learns the loss
            nothing
        } else {
            ClientHead {
                connection: known,
                frame: self.frame(),
                missing: if self.frames.has_budget { self.frames.missing } else { 0 },
                begin_anew: self.frames.begin_anew,
                events: self.events.received(),
                first: self.first,
                // the count is set with the inputs that fit
                ..nothing
            }
        };
        head.into_bytes(self.inputs.iter().filter(|_| !begins), self.most_sent)
    }
}

impl<W: World, I, E> fmt::Debug for Client<W, I, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("connection", &self.connection)
            .field("frame", &self.replica.frame())
            .field("entities", &self.replica.len())
            .field("inputs", &self.inputs.len())
            .finish_non_exhaustive()
    }
}
