//! [`Server`]: keeps the state that each client has acknowledged, and makes its next message.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use ecs::save::{SaveError, Selection, layout_hash};
use ecs::world::SnapshotWorld;
use ecs::{Entity, World};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::backlog::{Backlog, Part, Seen};
use crate::connection::{Connection, Datagrams};
use crate::error::MessageError;
use crate::limits::Limits;
use crate::message::{self, ClientHead, OtherVersion, Refusal, ServerMessage};
use crate::parts::{SpareParts, Undivided, heads, into_datagrams, longest};
use crate::version::Version;
use crate::view::{Step, View};

/// The number by which the program and its transport know a client.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClientId(pub u64);

/// The user's function for the priority of an entity.
type Priority<W> = Box<dyn Fn(&W, ClientId, Entity) -> u32 + Send + Sync>;

/// The server's side of replication, for clients that send inputs of type `I`, and that are sent
/// events of type `E`.
///
/// A server has no thread, no socket and no clock: the program passes messages between it and a
/// transport, and calls [`messages`](Self::messages) once in a tick. See the [crate](crate).
pub struct Server<W: World, I, E = ()> {
    /// The number of the last connection. Those of a later session are greater.
    connection: u64,
    /// The frame of the last messages.
    frame: u64,
    limits: Limits,
    clients: BTreeMap<ClientId, Connection<W>>,
    /// The hashes of the layouts of inputs and events.
    types: [u64; 2],
    priority: Option<Priority<W>>,
    spare_parts: SpareParts,
    events: PhantomData<fn(E) -> I>,
}

/// The content of the next message of a client.
enum Content {
    /// The changes of the whole view, and the step that brings it to the newest state.
    Whole { step: Arc<Step>, delta: Arc<[u8]>, hash: u64 },
    /// Those of some entities, for a client with a budget.
    Part(Part),
}

/// The next message of a client, before it is noted.
struct Outgoing {
    /// The index of the view.
    view: usize,
    from: u64,
    version: Vec<u8>,
    /// The reliable events.
    events: Vec<u8>,
    content: Content,
}

impl Outgoing {
    /// The message. All of it can be written.
    fn to_bytes<W>(&self, connection: &Connection<W>, frame: u64) -> Vec<u8> {
        let (hash, hashed, delta) = match &self.content {
            Content::Whole { hash, delta, .. } => (*hash, None, &**delta),
            Content::Part(part) => (part.hash, Some(part.hashed), &*part.delta),
        };
        let message = ServerMessage {
            connection: connection.number,
            from: self.from,
            begun: connection.frames.begun,
            frame,
            hash,
            hashed,
            inputs: connection.inputs.received,
            version: &self.version,
            events: connection.events.events(&self.events),
            delta,
        };
        message.to_bytes().unwrap_or_default()
    }
}

/// The most bytes by which a message may be longer than one without a delta and the delta: the
/// length of the delta, and the frame of the beginning.
const LENGTHS: usize = 5 + 9;

impl<W: World, I, E> Server<W, I, E> {
    /// Makes a server without clients. `session` is greater than that of an earlier server whose
    /// clients may still be there: the program stores it in its save, and adds 1 when it is started
    /// from the save, or it takes the seconds of a clock. Messages of an earlier session change
    /// nothing, on both sides.
    #[must_use]
    pub fn new(session: u32, limits: Limits) -> Self
    where
        // here, so that the compiler says what `W`, `I` and `E` lack
        W: SnapshotWorld,
        I: DeserializeOwned,
        E: Serialize + DeserializeOwned,
    {
        Self {
            connection: u64::from(session) << 32,
            frame: 0,
            limits,
            clients: BTreeMap::new(),
            types: [layout_hash::<I>(), layout_hash::<E>()],
            priority: None,
            spare_parts: SpareParts::default(),
            events: PhantomData,
        }
    }
}

impl<W: SnapshotWorld, I: DeserializeOwned, E: Serialize> Server<W, I, E> {
    /// Adds a client, which is sent the whole state. A client that is there already, for instance
    /// under the same name after its connection was lost, begins anew, with its budget.
    pub fn connect(&mut self, client: ClientId) {
        self.connection += 1;
        let budget = self.clients.get(&client).and_then(|known| known.backlog.as_ref());
        let backlog = budget.map(|backlog| Backlog::new(backlog.budget()));
        self.clients.insert(client, Connection::new(self.connection, backlog));
    }

    /// Reads a message of a client that joins by a [token](crate::Client::token), and
    /// [connects](Self::connect) the client if `accepts` returns `true` for the token. Returns
    /// `false` if the client was connected before: the message is to be [received](Self::receive).
    ///
    /// For transports that do not connect clients themselves, such as bare datagrams. `accepts`
    /// compares secrets with [`same_token`](crate::same_token).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::save::Replica;
    /// use ecs_replication::{Client, ClientId, Limits, MessageError, Server, same_token};
    /// # #[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
    /// # struct Place(i32);
    /// # world! { #[derive(Clone)] struct Game { components { Place } } }
    ///
    /// let mut server = Server::<Game, ()>::new(1, Limits::default());
    /// let mut receive = |client: ClientId, datagram: &[u8]| -> Result<Vec<()>, Vec<u8>> {
    ///     match server.join(client, datagram, |token| same_token(token, b"secret")) {
    ///         Ok(true) => Ok(Vec::new()),
    ///         Ok(false) => Ok(server.receive(client, datagram).unwrap_or_default()),
    ///         Err(error) => Err(server.refusal(&error)), // to be sent back
    ///     }
    /// };
    /// let client = |token: &[u8]| Client::<Game, ()>::new::<Place>(Replica::new(), 1 << 20).token(token);
    /// let (mut ann, mut eve) = (client(b"secret"), client(b"guess"));
    /// assert!(receive(ClientId(1), &ann.message()?).is_ok());
    /// let refusal = receive(ClientId(2), &eve.message()?).unwrap_err();
    /// assert!(matches!(eve.receive(&mut Game::new(), &refusal), Err(MessageError::Refused)));
    /// # Ok::<(), MessageError>(())
    /// ```
    ///
    /// A client that is connected and has a state may join again, once in [`Limits::pause`] frames:
    /// its program was started anew, or it has heard of a refusal.
    ///
    /// # Errors
    /// [`MessageError::NotConnected`] for another message of a client that is not connected,
    /// [`MessageError::Refused`] if `accepts` returns `false`, and the errors of a message that is
    /// too long or damaged. [`refusal`](Self::refusal) makes the answer.
    pub fn join(
        &mut self,
        client: ClientId,
        bytes: &[u8],
        accepts: impl FnOnce(&[u8]) -> bool,
    ) -> Result<bool, MessageError> {
        self.check_length(bytes)?;
        let known = self.clients.get(&client);
        let Some(token) = message::token(bytes)? else {
            return if known.is_some() { Ok(false) } else { Err(MessageError::NotConnected) };
        };
        if known.is_some_and(|known| !known.may_join_again(self.frame, &self.limits)) {
            return Ok(false);
        }
        if !accepts(token) {
            return Err(MessageError::Refused);
        }
        self.connect(client);
        Ok(true)
    }

    /// The answer to a client whose message was an error of [`join`](Self::join) or
    /// [`receive`](Self::receive). A client with a token joins again after
    /// [`MessageError::NotConnected`], and one whose token was refused is told so. The answer has
    /// at most 14 bytes.
    #[must_use]
    pub fn refusal(&self, error: &MessageError) -> Vec<u8> {
        let session = (self.connection >> 32) as u32;
        let refusal = Refusal { session, is_final: matches!(error, MessageError::Refused) };
        refusal.to_bytes().unwrap_or_default()
    }

    /// Removes a client. Returns `false` if it was not there.
    pub fn disconnect(&mut self, client: ClientId) -> bool {
        self.clients.remove(&client).is_some()
    }

    /// Iterates over the clients, in their order.
    pub fn clients(&self) -> impl Iterator<Item = ClientId> + '_ {
        self.clients.keys().copied()
    }

    /// The last frame that a client has acknowledged; 0 before the first one, `None` if the client
    /// is not connected.
    #[must_use]
    pub fn acknowledged(&self, client: ClientId) -> Option<u64> {
        self.clients.get(&client).map(|connection| connection.frames.acknowledged)
    }

    /// Gives a client a budget: its messages have at most so many bytes in a tick, as a mean. `None`
    /// takes it away. Returns `false` if the client is not connected. A client that has a state
    /// begins anew when it gets its first budget, and when that is taken away.
    ///
    /// A message then has the changes of as many entities as fit, by
    /// [priority](Self::set_priority); the others wait, and their waiting counts. What a client
    /// has:
    /// - Each entity as it was in one frame, with all its components. Different entities may be of
    ///   different frames.
    /// - An entity that left the view is despawned with a later message, and never lost: it goes
    ///   before all others.
    /// - A value that names an entity comes with or after that entity. If both name each other and
    ///   do not fit into one message, the value names no entity until the other one is there.
    /// - Values of components with a rule about several entities (relations, keys, unique
    ///   components) that may differ from those that the client has are sent together, even if
    ///   they are longer than the budget. So is an entity that is longer alone. Later messages are
    ///   shorter by the difference.
    ///
    /// After each message, the client compares the hash of some entities that it has, by turns.
    ///
    /// The budget includes events and all other bytes of a message, and of its
    /// [datagrams](Self::datagrams): with a budget of their size, a message is one. Spare ones come
    /// on top, if a message is longer. Less than 128 count as 128.
    pub fn set_budget(&mut self, client: ClientId, bytes: Option<usize>) -> bool {
        let Some(connection) = self.clients.get_mut(&client) else { return false };
        match (&mut connection.backlog, bytes) {
            (Some(backlog), Some(bytes)) if backlog.budget() == bytes => {}
            (Some(backlog), Some(bytes)) => backlog.set_budget(bytes),
            (None, None) => {}
            _ => {
                connection.begin_anew();
                connection.backlog = bytes.map(Backlog::new);
            }
        }
        true
    }

    /// Sets the function that returns the priority of an entity for a client with a budget. An
    /// entity of priority 10 waits a tenth of the time of one with 1, and 0 counts as 1. The
    /// function is called for entities that wait, at most [`Limits::priorities`] in a tick for each
    /// client, by turns; its last value counts for the others.
    pub fn set_priority(&mut self, priority: impl Fn(&W, ClientId, Entity) -> u32 + Send + Sync + 'static) {
        self.priority = Some(Box::new(priority));
    }

    /// Sends an event to a client: it arrives once, after all that were sent before, and not before
    /// the state of the tick. Returns `false`, and sends nothing, if the client is not connected,
    /// if [`Limits::events`] wait already, if the event is longer than [`Limits::event_bytes`], or
    /// if it cannot be serialized.
    ///
    /// An `Entity` in an event is the server's: the client finds its own with
    /// [`Replica::get`](ecs::save::Replica::get). Events that wait are forgotten when the client
    /// connects again.
    pub fn send(&mut self, client: ClientId, event: &E) -> bool {
        let connection = self.clients.get_mut(&client);
        connection.is_some_and(|connection| connection.events.push(event, &self.limits))
    }

    /// Sends an event to a client with the next message only: it may be lost. Returns `false`, and
    /// sends nothing, if the client is not connected, if the events of this message are longer than
    /// [`Limits::event_bytes`], or if the event cannot be serialized.
    pub fn send_once(&mut self, client: ClientId, event: &E) -> bool {
        let connection = self.clients.get_mut(&client);
        connection.is_some_and(|connection| connection.events.push_once(event, &self.limits))
    }

    fn check_length(&self, bytes: &[u8]) -> Result<(), MessageError> {
        let (length, limit) = (bytes.len(), self.limits.message);
        if length > limit { Err(MessageError::TooLong { length, limit }) } else { Ok(()) }
    }

    /// Reads a message of a client, and returns its inputs that were not received before, in their
    /// order. The program decides which of them are allowed.
    ///
    /// Messages may be lost, repeated and reordered. A message of an earlier connection has no
    /// inputs. Of more than [`Limits::inputs`] in a tick, the others are received later.
    ///
    /// # Errors
    /// If the message is damaged, too long, or has impossible content: see the variants of
    /// [`MessageError`]. The server is unchanged then, and the program decides whether it
    /// [disconnects](Self::disconnect) the client. [`MessageError::OtherVersion`] says that the
    /// client cannot read the messages.
    pub fn receive(&mut self, client: ClientId, bytes: &[u8]) -> Result<Vec<I>, MessageError> {
        self.check_length(bytes)?;
        let connection = self.clients.get_mut(&client).ok_or(MessageError::NotConnected)?;
        connection.inputs.messages_in_tick += 1;
        if connection.inputs.messages_in_tick > self.limits.messages {
            return Err(MessageError::TooManyMessages { limit: self.limits.messages });
        }
        if let Some(OtherVersion { connection: number, difference }) = OtherVersion::from_bytes(bytes)? {
            let is_current = number == connection.number && difference.is_short();
            return if is_current { Err(MessageError::OtherVersion(difference)) } else { Ok(Vec::new()) };
        }
        if message::token(bytes)?.is_some() {
            return Ok(Vec::new());
        }
        let (head, rest) = ClientHead::from_bytes(bytes)?;
        let ClientHead { connection: number, frame, missing, begin_anew, loss, events, first, count } = head;
        if number != connection.number {
            return Ok(Vec::new());
        }
        if frame > connection.frames.sent {
            return Err(MessageError::NeverSent { frame });
        }
        if !connection.events.can_have_received(events) {
            return Err(MessageError::Damaged);
        }
        let received = connection.inputs.received;
        if first > received {
            return Err(MessageError::MissingInputs { expected: received, first });
        }
        // read the inputs, and skip those that were received before
        let known = (received - first).min(count) as usize;
        let new = usize::try_from(count).unwrap_or(usize::MAX).saturating_sub(known);
        // inputs that were received before are read again, and may have no bytes
        if new > self.limits.inputs || known > rest.len() + self.limits.inputs {
            return Err(MessageError::TooManyInputs { count: new.max(known), limit: self.limits.inputs });
        }
        let inputs = head.inputs(rest)?;
        let new = new.min(self.limits.inputs.saturating_sub(connection.inputs.in_tick));
        connection.inputs.received += new as u64;
        connection.inputs.in_tick += new;
        connection.datagrams.loss = loss;
        connection.events.drop_received(events);
        if begin_anew {
            connection.begin_as_asked(frame, &self.limits);
        } else {
            connection.acknowledge(frame, missing);
        }
        Ok(inputs.into_iter().skip(known).take(new).collect())
    }

    /// Returns a message for each client, with the changes in its view since the frame that it has
    /// acknowledged. To be called once after each tick, with a `frame` that grows, for instance the
    /// number of the tick.
    ///
    /// `view` returns the part of the world that a client sees: the components are the same for all
    /// clients, and the entities are chosen with [`with`](Selection::with),
    /// [`without`](Selection::without) and [`only`](Selection::only).
    /// [`restrict`](Selection::restrict) hides a component of the other entities. Entities that
    /// leave a view are despawned in the client's world.
    ///
    /// Messages may be lost, repeated and reordered: each brings a client that has any of the
    /// states since the acknowledged one to the newest. It has the newest value of what changed
    /// since, once, so it is not longer than the whole state by more than what left the view. The
    /// whole state, with which a client begins, is sent at most once in [`Limits::pause`] frames.
    /// A message may be longer than a datagram: the transport divides it, or the client has a
    /// [budget](Self::set_budget).
    ///
    /// A client that stays connected and does not answer costs bandwidth: compare
    /// [`acknowledged`](Self::acknowledged) with the frame, and [disconnect](Self::disconnect) a
    /// client that is far behind.
    ///
    /// Cost: a snapshot; for each different view, a hash, and a comparison with each state that its
    /// clients have; for each client, one bit for each slot of the world and the bytes of its
    /// message. Clients that see the same entities, and that were sent and have acknowledged the
    /// same frames, share a delta.
    ///
    /// # Errors
    /// If a value cannot be serialized, or if `frame` is 0 or not later than that of the last call.
    /// No client is sent anything then, and the next call has all changes.
    pub fn messages(
        &mut self,
        world: &mut W,
        frame: u64,
        view: impl FnMut(&W, ClientId) -> Selection<W>,
    ) -> Result<Vec<(ClientId, Vec<u8>)>, SaveError> {
        self.next(world, frame, None, view)
    }

    /// As [`messages`](Self::messages). With the `size` of datagrams, their heads count as well.
    fn next(
        &mut self,
        world: &mut W,
        frame: u64,
        size: Option<usize>,
        mut view: impl FnMut(&W, ClientId) -> Selection<W>,
    ) -> Result<Vec<(ClientId, Vec<u8>)>, SaveError> {
        if frame <= self.frame {
            let reason = format!("frame {frame} is not later than frame {}", self.frame);
            return Err(SaveError::Value { place: "messages".to_owned(), world: W::NAME, reason });
        }
        // the content of each message; clients of equal views share their steps and deltas
        let selections: Vec<Selection<W>> = self.clients.keys().map(|&client| view(world, client)).collect();
        let baselines = match selections.is_empty() {
            true => Vec::new(),
            false => Selection::baselines(&selections, world, frame),
        };
        let world: &W = world;
        let mut views: Vec<View<W>> = Vec::new();
        let mut sent = Vec::with_capacity(selections.len());
        let (limits, types, priority) = (&self.limits, self.types, self.priority.as_deref());
        let clients = self.clients.iter_mut().zip(selections.into_iter().zip(baselines));
        for ((&client, connection), (selection, baseline)) in clients {
            let at = views.iter().position(|view| view.baseline.is_same_view(&baseline));
            let at = at.unwrap_or_else(|| {
                views.push(View::new(baseline));
                views.len() - 1
            });
            let priority = priority.map(|priority| move |entity| priority(world, client, entity));
            let priority = priority.as_ref().map(|priority| priority as &dyn Fn(Entity) -> u32);
            let next = Next { world, frame, size, limits, types, priority };
            sent.push(next.outgoing(connection, (at, &mut views[at]), selection)?);
        }
        // note what is sent: no error from here on
        self.frame = frame;
        let mut messages = Vec::with_capacity(sent.len());
        for ((&client, connection), outgoing) in self.clients.iter_mut().zip(sent) {
            connection.note_sent(frame, outgoing.from);
            let bytes = outgoing.to_bytes(connection, frame);
            connection.events.clear_once();
            let baseline = &views[outgoing.view].baseline;
            connection.last = Some(Arc::clone(baseline));
            match (outgoing.content, &mut connection.backlog) {
                (Content::Part(part), Some(backlog)) => {
                    let length = bytes.len() + size.map_or(0, |size| heads(bytes.len(), size));
                    backlog.note_sent(part, frame, length, baseline, limits);
                }
                (Content::Whole { step, .. }, _) => connection.frames.push(step, limits.frames),
                _ => {}
            }
            messages.push((client, bytes));
        }
        Ok(messages)
    }

    /// As [`messages`](Self::messages), as datagrams of at most `size` bytes: 1,200 pass nearly
    /// everywhere. Each begins the message of a client or goes on with it, and
    /// [`Client::receive`](crate::Client::receive) takes them in any order.
    ///
    /// A message is of use once enough of its datagrams have arrived. Clients tell how many are
    /// lost, and a message of several has so many spare ones that it arrives as often as a single
    /// datagram would: with a loss of a fifth, 5 for 14. A whole state has more, for a loss of at
    /// least a tenth, so that 99 of 100 arrive, unless it is short: one datagram has no spare one,
    /// and others have at most as many as they are.
    ///
    /// A `size` below 128 counts as 128.
    ///
    /// # Errors
    /// As [`messages`](Self::messages).
    pub fn datagrams(
        &mut self,
        world: &mut W,
        frame: u64,
        size: usize,
        view: impl FnMut(&W, ClientId) -> Selection<W>,
    ) -> Result<Vec<(ClientId, Vec<u8>)>, SaveError> {
        let mut all = Vec::new();
        for (client, message) in self.next(world, frame, Some(size), view)? {
            let Some(connection) = self.clients.get_mut(&client) else { continue };
            connection.datagrams.messages += 1;
            let Datagrams { messages: number, loss } = connection.datagrams;
            let is_whole = connection.whole.is_of(frame);
            let message = Undivided { bytes: message, connection: connection.number, number, is_whole };
            let parts = into_datagrams(message, size, loss, &mut self.spare_parts);
            all.extend(parts.into_iter().map(|part| (client, part)));
        }
        Ok(all)
    }
}

/// The next messages of all clients.
struct Next<'n, W: World> {
    world: &'n W,
    frame: u64,
    /// The size of datagrams, if the messages are divided.
    size: Option<usize>,
    limits: &'n Limits,
    /// The hashes of the layouts of inputs and events.
    types: [u64; 2],
    /// The priority of an entity for this client.
    priority: Option<&'n dyn Fn(Entity) -> u32>,
}

impl<W: World> Next<'_, W> {
    /// The next message of a client, of whose connection only the backlog changes, so that an error
    /// is as if nothing had happened.
    fn outgoing(
        &self,
        connection: &mut Connection<W>,
        (at, view): (usize, &mut View<W>),
        selection: Selection<W>,
    ) -> Result<Outgoing, SaveError> {
        let &Self { world, frame, limits, .. } = self;
        let step = view.step(&selection, &connection.last, world)?;
        let from = connection.from(frame, limits.pause);
        // the types can always be written
        let version = (from == 0).then(|| Version::of(&selection, self.types));
        let version = version.and_then(|version| message::written(Vec::new(), &version).ok());
        let version = version.unwrap_or_default();
        let most = connection.backlog.as_ref().map_or(usize::MAX, |backlog| backlog.budget() / 2);
        let events = connection.events.batch(most.min(limits.event_bytes));
        let Some(backlog) = &mut connection.backlog else {
            let steps = connection.frames.steps.iter().filter(|step| step.frame > from);
            let steps = steps.chain([&step]).cloned().collect();
            let delta = view.delta(&selection, steps, from, world)?;
            let content = Content::Whole { step, delta, hash: view.hash(&selection, world)? };
            return Ok(Outgoing { view: at, from, version, events, content });
        };
        let seen = Seen { world, baseline: &view.baseline };
        backlog.add(&step, &view.baseline);
        let content = Content::Part(Part::longest_without_delta());
        let mut outgoing = Outgoing { view: at, from, version, events, content };
        let other = outgoing.to_bytes(connection, frame).len() + LENGTHS;
        let Some(backlog) = &mut connection.backlog else { return Ok(outgoing) };
        let room = self.size.map_or(backlog.room(), |size| longest(backlog.room(), size));
        let room = room.saturating_sub(other);
        let part = backlog.part(selection, &seen, [from, frame], room, self.priority, limits)?;
        outgoing.content = Content::Part(part);
        Ok(outgoing)
    }
}

impl<W: World, I, E> fmt::Debug for Server<W, I, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clients: Vec<&ClientId> = self.clients.keys().collect();
        f.debug_struct("Server")
            .field("frame", &self.frame)
            .field("clients", &clients)
            .finish_non_exhaustive()
    }
}
