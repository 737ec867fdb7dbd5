//! [`Server`]: what each client has, and what it is sent next.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::marker::PhantomData;

use ecs::World;
use ecs::save::{Baseline, SaveError, Selection};
use ecs::world::SnapshotWorld;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::MessageError;
use crate::message::{ClientMessage, ServerMessage, Step};

/// The number by which the program and its transport know a client.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClientId(pub u64);

/// What a server accepts from each client, and keeps for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The longest message of a client, in bytes.
    pub message: usize,
    /// The most new inputs in one message.
    pub inputs: usize,
    /// The most steps that are kept and sent for a client that does not acknowledge them. After that, it is sent the whole state.
    pub steps: usize,
    /// The most bytes of these steps, apart from the whole state.
    pub bytes: usize,
}

impl Default for Limits {
    /// Messages of 4 KiB with 64 inputs, and 64 steps of 64 KiB together.
    fn default() -> Self {
        Self { message: 4096, inputs: 64, steps: 64, bytes: 65_536 }
    }
}

/// The server's side of replication, for clients that send inputs of type `I`.
///
/// A server has no thread, no socket and no clock: the program passes messages between it and a transport, and calls
/// [`messages`](Self::messages) once in a tick. See the [crate](crate).
pub struct Server<W: World, I> {
    session: u32,
    connections: u32,
    limits: Limits,
    clients: BTreeMap<ClientId, Connection<W>>,
    inputs: PhantomData<fn() -> I>,
}

/// The state of one client.
struct Connection<W> {
    number: u64,
    /// The state after the last step.
    last: Baseline<W>,
    /// The steps that the client has not acknowledged.
    steps: VecDeque<Step>,
    /// Whether the first of them starts from nothing.
    from_nothing: bool,
    /// The number of inputs that were received.
    inputs: u64,
    /// The last frame that was sent.
    sent: u64,
    /// The last frame that the client has acknowledged.
    acknowledged: u64,
}

impl<W> Connection<W> {
    fn new(number: u64) -> Self {
        Self {
            number,
            last: Baseline::nothing(),
            steps: VecDeque::new(),
            from_nothing: true,
            inputs: 0,
            sent: 0,
            acknowledged: 0,
        }
    }

    /// The number of bytes of steps that are not the whole state.
    fn bytes(&self) -> usize {
        self.steps.iter().skip(usize::from(self.from_nothing)).map(|step| step.delta.len()).sum()
    }

    /// Sends the whole state with the next message.
    fn begin_anew(&mut self) {
        self.last = Baseline::nothing();
        self.steps.clear();
        self.from_nothing = true;
    }
}

impl<W: SnapshotWorld, I: Serialize + DeserializeOwned> Server<W, I> {
    /// Makes a server without clients. `session` is greater than that of an earlier server whose clients may still be there: the program
    /// stores it in its save, and adds 1 when it is started from the save.
    #[must_use]
    pub fn new(session: u32, limits: Limits) -> Self {
        Self { session, connections: 0, limits, clients: BTreeMap::new(), inputs: PhantomData }
    }

    /// Adds a client, which is sent the whole state. A client that is there already, for instance under the same name after its
    /// connection was lost, begins anew.
    pub fn connect(&mut self, client: ClientId) {
        self.connections += 1;
        let number = u64::from(self.session) << 32 | u64::from(self.connections);
        self.clients.insert(client, Connection::new(number));
    }

    /// Removes a client. Returns `false` if it was not there.
    pub fn disconnect(&mut self, client: ClientId) -> bool {
        self.clients.remove(&client).is_some()
    }

    /// Iterates over the clients, in their order.
    pub fn clients(&self) -> impl Iterator<Item = ClientId> + '_ {
        self.clients.keys().copied()
    }

    /// The last frame that a client has acknowledged; 0 before the first one, `None` if the client is not connected.
    #[must_use]
    pub fn acknowledged(&self, client: ClientId) -> Option<u64> {
        self.clients.get(&client).map(|connection| connection.acknowledged)
    }

    /// Reads a message of a client, and returns its inputs that were not received before, in their order. The program decides which of
    /// them are allowed.
    ///
    /// Messages may be lost, repeated and reordered. A message of an earlier connection has no inputs.
    ///
    /// # Errors
    /// If the message is damaged, too long, or says what cannot be: the variants of [`MessageError`]. The server is unchanged then, and the
    /// program decides whether it [disconnects](Self::disconnect) the client.
    pub fn receive(&mut self, client: ClientId, bytes: &[u8]) -> Result<Vec<I>, MessageError> {
        let connection = self.clients.get_mut(&client).ok_or(MessageError::NotConnected)?;
        if bytes.len() > self.limits.message {
            return Err(MessageError::TooLong { length: bytes.len(), limit: self.limits.message });
        }
        let ClientMessage { connection: number, frame, begin_anew, first, inputs } =
            ClientMessage::<Vec<I>>::from_bytes(bytes)?;
        if number != connection.number {
            return Ok(Vec::new());
        }
        if frame > connection.sent {
            return Err(MessageError::NeverSent { frame });
        }
        if first > connection.inputs {
            return Err(MessageError::MissingInputs { expected: connection.inputs, first });
        }
        let known = (connection.inputs - first).min(inputs.len() as u64) as usize;
        let count = inputs.len() - known;
        if count > self.limits.inputs {
            return Err(MessageError::TooManyInputs { count, limit: self.limits.inputs });
        }
        connection.inputs += count as u64;
        if begin_anew {
            // unless the client has not received the beginning yet
            let begins =
                connection.from_nothing && connection.steps.front().is_none_or(|step| step.frame > frame);
            if !begins {
                connection.begin_anew();
            }
        } else if connection.steps.iter().any(|step| step.frame == frame) {
            connection.acknowledged = frame;
            connection.from_nothing = false;
            while connection.steps.front().is_some_and(|step| step.frame <= frame) {
                connection.steps.pop_front();
            }
        }
        Ok(inputs.into_iter().skip(known).collect())
    }

    /// Returns a message for each client: what has changed in its view since the frame that it has acknowledged. To be called once after
    /// each tick, with a `frame` that grows, for instance the number of the tick.
    ///
    /// `view` returns the part of the world that a client sees: the components are the same for all clients, and the entities are chosen
    /// with [`with`](Selection::with), [`without`](Selection::without) and [`only`](Selection::only). Entities that leave a view are
    /// despawned in the client's world.
    ///
    /// Messages may be lost, repeated and reordered: each contains all steps that the client has not acknowledged. A message may be longer
    /// than a datagram: the transport divides it.
    ///
    /// Cost for each client: a delta, a snapshot and a hash of its view.
    ///
    /// # Errors
    /// If a value cannot be serialized, or if `frame` is not later than that of the last call. Clients before the one of the error have a
    /// step more, and are sent it by the next call.
    pub fn messages(
        &mut self,
        world: &mut W,
        frame: u64,
        mut view: impl FnMut(&W, ClientId) -> Selection<W>,
    ) -> Result<Vec<(ClientId, Vec<u8>)>, SaveError> {
        let mut messages = Vec::with_capacity(self.clients.len());
        for (&client, connection) in &mut self.clients {
            let selection = view(world, client);
            if connection.steps.len() >= self.limits.steps.max(1) || connection.bytes() > self.limits.bytes {
                connection.begin_anew();
            }
            let delta = selection.delta(&connection.last, world, frame)?;
            let baseline = selection.baseline(world, frame);
            let hash = selection.hash_by(world, Some)?;
            connection.sent = frame;
            connection.last = baseline;
            connection.steps.push_back(Step { frame, hash, delta });
            let message = ServerMessage {
                connection: connection.number,
                from_nothing: connection.from_nothing,
                inputs: connection.inputs,
                steps: connection.steps.iter().collect(),
            };
            // numbers and bytes can always be written
            if let Ok(bytes) = message.to_bytes() {
                messages.push((client, bytes));
            }
        }
        Ok(messages)
    }
}

impl<W: World, I> fmt::Debug for Server<W, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clients: Vec<&ClientId> = self.clients.keys().collect();
        f.debug_struct("Server")
            .field("session", &self.session)
            .field("clients", &clients)
            .finish_non_exhaustive()
    }
}
