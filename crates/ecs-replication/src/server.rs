//! [`Server`]: keeps the state that each client has acknowledged, and makes its next message.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use ecs::World;
use ecs::save::{Baseline, ChangedSlots, SaveError, Selection};
use ecs::world::SnapshotWorld;
use serde::de::DeserializeOwned;

use crate::error::MessageError;
use crate::message::{ClientHead, ServerMessage};
use crate::parts::into_datagrams;

/// The number by which the program and its transport know a client.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClientId(pub u64);

/// The bounds of what a server accepts from each client, and of what it keeps for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The longest message of a client, in bytes.
    pub message: usize,
    /// The most new inputs in one message.
    pub inputs: usize,
    /// The most sent frames that the server tells apart of those that the client has not
    /// acknowledged: more than the ticks until an answer arrives. With later answers, messages get
    /// longer, up to the length of the whole state.
    pub frames: usize,
    /// The fewest frames between two whole states that a client is sent because it asked for them,
    /// and between two messages that repeat a whole state because the client has not acknowledged
    /// it.
    pub pause: u64,
}

impl Default for Limits {
    /// Messages of 4 KiB with 64 inputs, 64 frames, and a pause of 8 frames.
    fn default() -> Self {
        Self { message: 4096, inputs: 64, frames: 64, pause: 8 }
    }
}

/// The server's side of replication, for clients that send inputs of type `I`.
///
/// A server has no thread, no socket and no clock: the program passes messages between it and a
/// transport, and calls [`messages`](Self::messages) once in a tick. See the [crate](crate).
pub struct Server<W: World, I> {
    /// The number of the last connection. Those of a later session are greater.
    connection: u64,
    /// The frame of the last messages.
    frame: u64,
    limits: Limits,
    clients: BTreeMap<ClientId, Connection<W>>,
    inputs: PhantomData<fn() -> I>,
}

/// The state to which a client was brought; `None` for nothing. Clients of equal views share it.
type State<W> = Option<Arc<Baseline<W>>>;

/// The changes between two frames that were sent.
struct Step {
    /// The frame to which it leads.
    frame: u64,
    slots: ChangedSlots,
}

/// The state of one client.
struct Connection<W> {
    number: u64,
    /// The state that was sent last.
    last: State<W>,
    /// The steps to it since the frame that the client has acknowledged, or from nothing, shared
    /// with clients of equal views.
    steps: VecDeque<Arc<Step>>,
    /// The number of steps that were merged into others.
    merged: usize,
    /// The frame of the first state that was sent since the client began; 0 before it.
    begun: u64,
    /// The number of messages that were sent as datagrams.
    divided: u64,
    /// The part of them that is lost, of 255.
    loss: u8,
    /// The number of inputs that were received.
    inputs: u64,
    /// The last frame that was sent.
    sent: u64,
    /// The last frame that the client has acknowledged.
    acknowledged: u64,
    /// The last frame when the client was sent the whole state because it asked.
    asked: u64,
    /// The last frame whose message had the whole state.
    whole: u64,
    /// The number of such messages since the last acknowledgement.
    repeated: u64,
}

/// The part of the world that some clients see in one tick.
struct View<W> {
    baseline: Arc<Baseline<W>>,
    hash: u64,
    /// The step from each state that one of these clients has.
    steps: Vec<(State<W>, Arc<Step>)>,
    deltas: Vec<MadeDelta>,
}

/// A delta that was made, for clients that were sent the same steps and have acknowledged the same
/// frame.
struct MadeDelta {
    from: u64,
    steps: Vec<Arc<Step>>,
    bytes: Arc<[u8]>,
}

impl<W: World> View<W> {
    /// The step from the state `last`. It is made for the first client that needs it.
    fn step(&mut self, selection: &Selection<W>, last: &State<W>, world: &W) -> Result<Arc<Step>, SaveError> {
        let address = |state: &State<W>| state.as_ref().map(Arc::as_ptr);
        if let Some((_, step)) = self.steps.iter().find(|(from, _)| address(from) == address(last)) {
            return Ok(Arc::clone(step));
        }
        let nothing = Baseline::nothing();
        let slots = selection.changed_slots(last.as_deref().unwrap_or(&nothing), world)?;
        let step = Arc::new(Step { frame: self.baseline.frame(), slots });
        self.steps.push((last.clone(), Arc::clone(&step)));
        Ok(step)
    }

    /// The delta of these steps. It is made for the first client that needs it.
    fn delta(
        &mut self,
        selection: &Selection<W>,
        steps: Vec<Arc<Step>>,
        from: u64,
        world: &W,
    ) -> Result<Arc<[u8]>, SaveError> {
        let same = |made: &[Arc<Step>]| {
            made.len() == steps.len() && made.iter().zip(&steps).all(|(one, other)| Arc::ptr_eq(one, other))
        };
        if let Some(made) = self.deltas.iter().find(|made| made.from == from && same(&made.steps)) {
            return Ok(Arc::clone(&made.bytes));
        }
        let changes = steps.iter().map(|step| &step.slots);
        let bytes: Arc<[u8]> = selection.delta_of(changes, from, world, self.baseline.frame())?.into();
        self.deltas.push(MadeDelta { from, steps, bytes: Arc::clone(&bytes) });
        Ok(bytes)
    }
}

impl<W> Connection<W> {
    fn new(number: u64) -> Self {
        Self {
            number,
            last: None,
            steps: VecDeque::new(),
            merged: 0,
            begun: 0,
            divided: 0,
            loss: 0,
            inputs: 0,
            sent: 0,
            acknowledged: 0,
            asked: 0,
            whole: 0,
            repeated: 0,
        }
    }

    /// The frame from which the changes of the message at `frame` start. The whole state is in the
    /// first message, and again after `pause` frames, one more, two more.. The messages between
    /// have the changes after the first one, for a client that has any of them.
    fn from(&self, frame: u64, pause: u64) -> u64 {
        if self.acknowledged > 0 {
            return self.acknowledged;
        }
        // the pauses become longer, so that no regular loss hits each whole state
        let next = self.whole.saturating_add(pause).saturating_add(self.repeated.saturating_sub(1));
        if frame < next { self.begun } else { 0 }
    }

    /// Adds a step, and merges two of the steps before it if there are more than `most`. Which two
    /// goes around, so that the steps that remain are spread over all frames.
    fn push(&mut self, step: Arc<Step>, most: usize) {
        self.steps.push_back(step);
        if self.steps.len() <= most.max(2) {
            return;
        }
        let mut at = self.merged % (self.steps.len() - 1).div_ceil(2);
        self.merged += 1;
        if self.steps[at].frame == self.begun {
            at += 1; // messages start from it
        }
        let Some(first) = self.steps.remove(at) else { return };
        let mut slots = first.slots.clone();
        slots.merge(&self.steps[at].slots);
        self.steps[at] = Arc::new(Step { frame: self.steps[at].frame, slots });
    }

    /// Sends the whole state with the next message.
    fn begin_anew(&mut self) {
        self.last = None;
        self.steps.clear();
        (self.begun, self.acknowledged, self.whole) = (0, 0, 0);
    }
}

impl<W: World, I> Server<W, I> {
    /// Makes a server without clients. `session` is greater than that of an earlier server whose
    /// clients may still be there: the program stores it in its save, and adds 1 when it is started
    /// from the save.
    #[must_use]
    pub fn new(session: u32, limits: Limits) -> Self
    where
        // here, so that the compiler says what `W` and `I` lack
        W: SnapshotWorld,
        I: DeserializeOwned,
    {
        let connection = u64::from(session) << 32;
        Self { connection, frame: 0, limits, clients: BTreeMap::new(), inputs: PhantomData }
    }
}

impl<W: SnapshotWorld, I: DeserializeOwned> Server<W, I> {
    /// Adds a client, which is sent the whole state. A client that is there already, for instance
    /// under the same name after its connection was lost, begins anew.
    pub fn connect(&mut self, client: ClientId) {
        self.connection += 1;
        self.clients.insert(client, Connection::new(self.connection));
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
        self.clients.get(&client).map(|connection| connection.acknowledged)
    }

    /// Reads a message of a client, and returns its inputs that were not received before, in their
    /// order. The program decides which of them are allowed.
    ///
    /// Messages may be lost, repeated and reordered. A message of an earlier connection has no
    /// inputs.
    ///
    /// # Errors
    /// If the message is damaged, too long, or has impossible content: see the variants of
    /// [`MessageError`]. The server is unchanged then, and the program decides whether it
    /// [disconnects](Self::disconnect) the client.
    pub fn receive(&mut self, client: ClientId, bytes: &[u8]) -> Result<Vec<I>, MessageError> {
        let connection = self.clients.get_mut(&client).ok_or(MessageError::NotConnected)?;
        if bytes.len() > self.limits.message {
            return Err(MessageError::TooLong { length: bytes.len(), limit: self.limits.message });
        }
        let (head, rest) = ClientHead::from_bytes(bytes)?;
        let ClientHead { connection: number, frame, begin_anew, loss, first, count } = head;
        if number != connection.number {
            return Ok(Vec::new());
        }
        if frame > connection.sent {
            return Err(MessageError::NeverSent { frame });
        }
        if first > connection.inputs {
            return Err(MessageError::MissingInputs { expected: connection.inputs, first });
        }
        // read the inputs, and skip those that were received before
        let known = (connection.inputs - first).min(count) as usize;
        let new = usize::try_from(count).unwrap_or(usize::MAX).saturating_sub(known);
        // inputs that were received before are read again, and may have no bytes
        if new > self.limits.inputs || known > rest.len() + self.limits.inputs {
            return Err(MessageError::TooManyInputs { count: new.max(known), limit: self.limits.inputs });
        }
        let inputs = head.inputs(rest)?;
        connection.inputs += new as u64;
        connection.loss = loss;
        // begin anew, or drop the steps that are acknowledged
        if begin_anew {
            // unless the client has not received the beginning yet
            let begins = connection.begun == 0 || connection.acknowledged == 0 && connection.begun > frame;
            let may_ask = connection.asked == 0
                || connection.sent >= connection.asked.saturating_add(self.limits.pause);
            if may_ask && !begins {
                connection.asked = connection.sent;
                connection.begin_anew();
            }
        } else if connection.steps.iter().any(|step| step.frame == frame) {
            connection.acknowledged = frame;
            connection.repeated = 0;
            while connection.steps.front().is_some_and(|step| step.frame <= frame) {
                connection.steps.pop_front();
            }
        }
        Ok(inputs.into_iter().skip(known).collect())
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
    /// A message may be longer than a datagram: the transport divides it.
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
        mut view: impl FnMut(&W, ClientId) -> Selection<W>,
    ) -> Result<Vec<(ClientId, Vec<u8>)>, SaveError> {
        if frame <= self.frame {
            let reason = format!("frame {frame} is not later than frame {}", self.frame);
            return Err(SaveError::Value { place: "messages".to_owned(), world: W::NAME, reason });
        }
        if self.clients.is_empty() {
            self.frame = frame;
            return Ok(Vec::new());
        }
        // make the step and the delta of each client, which clients of equal views share
        let selections: Vec<Selection<W>> = self.clients.keys().map(|&client| view(world, client)).collect();
        let baselines = Selection::baselines(&selections, world, frame);
        let mut views: Vec<View<W>> = Vec::new();
        let mut sent = Vec::with_capacity(selections.len());
        for ((selection, baseline), connection) in selections.iter().zip(baselines).zip(self.clients.values())
        {
            let at = match views.iter().position(|view| view.baseline.is_same_view(&baseline)) {
                Some(at) => at,
                None => {
                    let hash = selection.hash_by(world, Some)?;
                    let (steps, deltas) = (Vec::new(), Vec::new());
                    views.push(View { baseline: Arc::new(baseline), hash, steps, deltas });
                    views.len() - 1
                }
            };
            let view = &mut views[at];
            let step = view.step(selection, &connection.last, world)?;
            let from = connection.from(frame, self.limits.pause);
            let steps = connection.steps.iter().filter(|step| step.frame > from);
            let steps = steps.chain([&step]).cloned().collect();
            let delta = view.delta(selection, steps, from, world)?;
            sent.push((at, step, from, delta));
        }
        // note what is sent: no error from here on
        self.frame = frame;
        let mut messages = Vec::with_capacity(sent.len());
        for ((&client, connection), (at, step, from, delta)) in self.clients.iter_mut().zip(sent) {
            connection.sent = frame;
            connection.last = Some(Arc::clone(&views[at].baseline));
            connection.push(step, self.limits.frames);
            if connection.begun == 0 {
                connection.begun = frame;
            }
            if from == 0 {
                connection.whole = frame;
                connection.repeated += 1;
            }
            let message = ServerMessage {
                connection: connection.number,
                from,
                begun: connection.begun,
                frame,
                hash: views[at].hash,
                inputs: connection.inputs,
                delta: &delta,
            };
            // numbers and bytes can always be written
            if let Ok(bytes) = message.to_bytes() {
                messages.push((client, bytes));
            }
        }
        Ok(messages)
    }

    /// As [`messages`](Self::messages), as datagrams of at most `size` bytes: 1,200 pass nearly
    /// everywhere. Each begins the message of a client or goes on with it, and
    /// [`Client::receive`](crate::Client::receive) takes them in any order.
    ///
    /// A message is of use once enough of its datagrams have arrived. Clients tell how many are
    /// lost, and a message of several has so many spare ones that it arrives as often as a single
    /// datagram would: with a loss of a fifth, 5 for 14.
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
        for (client, message) in self.messages(world, frame, view)? {
            let Some(connection) = self.clients.get_mut(&client) else { continue };
            connection.divided += 1;
            let Connection { number, divided, loss, .. } = *connection;
            let parts = into_datagrams(message, number, divided, size, loss);
            all.extend(parts.into_iter().map(|part| (client, part)));
        }
        Ok(all)
    }
}

impl<W: World, I> fmt::Debug for Server<W, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clients: Vec<&ClientId> = self.clients.keys().collect();
        f.debug_struct("Server")
            .field("frame", &self.frame)
            .field("clients", &clients)
            .finish_non_exhaustive()
    }
}
