//! [`Remote`]: the requests that wait for an answer, and their recording.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ecs::Resource;
use ecs::reflect::ReflectWorld;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::dispatch::{Dispatcher, Method, Request, Response};
use crate::options::Options;
use crate::server::Server;

/// The bytes of requests that a recording keeps.
const LONGEST_RECORDING: usize = 64 << 20;

/// The requests that wait for an answer. It is a resource for the world, or a value beside it.
///
/// A clone is another handle of the same queue and the same server. Snapshots of a world and files do not contain the queue, so that a
/// world which was restored goes on with the same server. The server stops when its last handle is dropped.
///
/// See the [crate](crate) for an example.
#[derive(Resource, Clone, Default)]
#[resource(skip, hidden)]
pub struct Remote {
    shared: Arc<Shared>,
}

/// What the handles share.
#[derive(Default)]
struct Shared {
    queue: Arc<Queue>,
    state: Mutex<State>,
    server: Option<Server>,
}

/// The requests that the server has put in.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: Mutex<VecDeque<Waiting>>,
}

/// A request, and the way for its answer.
pub(crate) struct Waiting {
    pub(crate) request: Request,
    pub(crate) answer: oneshot::Sender<Response>,
}

/// What is behind the answers of a queue.
struct State {
    dispatcher: Dispatcher,
    /// The number of calls of `serve` so far.
    calls: u64,
    recording: Option<Recording>,
    replayed: VecDeque<(u64, Request)>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            dispatcher: Dispatcher::new(&Options::new()),
            calls: 0,
            recording: None,
            replayed: VecDeque::new(),
        }
    }
}

/// What a call of [`Remote::serve`] has done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Served {
    /// The requests that were answered.
    pub answered: usize,
    /// The requests that are left in the queue.
    pub left: usize,
    /// The time that it has taken.
    pub took: Duration,
}

/// The requests that may have changed a world, with the call of [`Remote::serve`] that answered each. It can be saved in any format.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Recording {
    requests: Vec<(u64, Request)>,
    bytes: usize,
    is_full: bool,
}

impl Recording {
    /// The number of requests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.requests.len()
    }

    /// Whether there are no requests.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// Whether requests are missing, since the recording has reached 64 MiB.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    fn push(&mut self, call: u64, request: &Request) {
        self.bytes += request.target.len() + request.body.len() + size_of::<Request>();
        self.is_full |= self.bytes > LONGEST_RECORDING;
        if !self.is_full {
            self.requests.push((call, request.clone()));
        }
    }
}

impl Remote {
    /// Listens for requests, which a thread of its own reads.
    ///
    /// # Errors
    /// If the address is not available.
    pub fn bind(options: Options) -> io::Result<Self> {
        let queue = Arc::new(Queue::default());
        let server = Server::start(&options, Arc::clone(&queue))?;
        let state = State { dispatcher: Dispatcher::new(&options), ..State::default() };
        Ok(Self { shared: Arc::new(Shared { queue, state: Mutex::new(state), server: Some(server) }) })
    }

    /// Answers the requests of a recording in the calls of [`serve`](Self::serve) that answered them, without a server. The allow list and
    /// the sizes of the options are those of the recorded run.
    #[must_use]
    pub fn replay(recording: Recording, options: &Options) -> Self {
        let (dispatcher, replayed) = (Dispatcher::new(options), recording.requests.into());
        let state = State { dispatcher, replayed, ..State::default() };
        Self { shared: Arc::new(Shared { state: Mutex::new(state), ..Shared::default() }) }
    }

    /// The address of the server; `None` without a server.
    #[must_use]
    pub fn address(&self) -> Option<SocketAddr> {
        self.shared.server.as_ref().map(Server::address)
    }

    /// Answers the requests that wait, in the order in which they came in, until the number or the time of
    /// [`Limits`](crate::Limits) for one call is reached. The rest stays in the queue. It does not wait for requests.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # world! { #[derive(Reflect)] struct Game {} }
    /// use ecs_remote::{Options, Remote};
    ///
    /// let mut game = Game::new();
    /// let remote = Remote::bind(Options::new().port(0))?; // not a resource of the world
    /// assert_eq!(remote.serve(&mut game).answered, 0);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Panics
    /// If an implementation of `Serialize`, `Deserialize` or `Default` of the world's types panics.
    pub fn serve(&self, world: &mut dyn ReflectWorld) -> Served {
        let begin = Instant::now();
        let mut state = self.state();
        let (call, limits) = (state.calls, state.dispatcher.options.limits);
        state.calls += 1;
        state.dispatcher.history.push(world.reflect().len());
        let mut served = Served::default();
        while state.replayed.front().is_some_and(|(at, _)| *at <= call) {
            let Some((_, request)) = state.replayed.pop_front() else { break };
            state.dispatcher.answer(world, &request);
            served.answered += 1;
        }
        while served.answered < limits.per_call && begin.elapsed() < limits.budget {
            let Some(Waiting { request, answer }) = self.shared.queue.pop() else { break };
            if answer.is_closed() {
                continue; // the client is gone
            }
            if request.may_write
                && request.method != Method::Get
                && let Some(recording) = &mut state.recording
            {
                recording.push(call, &request);
            }
            let response = state.dispatcher.answer(world, &request);
            // a client that has gone meanwhile misses its answer
            let _ = answer.send(response);
            served.answered += 1;
        }
        served.left = self.shared.queue.len();
        served.took = begin.elapsed();
        served
    }

    /// Starts a new recording, or ends it. Calls of [`serve`](Self::serve) count from 0 again.
    pub fn record(&self, on: bool) {
        let mut state = self.state();
        state.recording = on.then(Recording::default);
        state.calls = 0;
    }

    /// The requests since [`record`](Self::record) that may have changed the world; `None` without a recording.
    #[must_use]
    pub fn recording(&self) -> Option<Recording> {
        self.state().recording.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // a panic of a `Serialize` leaves the state whole
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote")
            .field("address", &self.address())
            .field("waiting", &self.shared.queue.len())
            .finish()
    }
}

impl Queue {
    /// Puts a request in, unless `most` clients wait already.
    pub(crate) fn push(&self, waiting: Waiting, most: usize) -> bool {
        let mut queue = self.lock();
        if queue.len() >= most {
            queue.retain(|waiting| !waiting.answer.is_closed());
        }
        let has_place = queue.len() < most;
        if has_place {
            queue.push_back(waiting);
        }
        has_place
    }

    fn pop(&self) -> Option<Waiting> {
        self.lock().pop_front()
    }

    fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
