//! [`Remote`]: the requests that wait for an answer, and their recording.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ecs::Resource;
use ecs::reflect::{ReflectMut, ReflectWorld};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::oneshot;

use crate::dispatch::{Dispatcher, Method, Request, Response};
use crate::history::Sample;
use crate::job::{Job, Progress};
use crate::json_rpc::{self, RpcError};
use crate::options::Options;
use crate::server::Server;
use crate::watch::{self, Events, Watch, Watcher};

/// A request is worked on for one of this many parts of a call's time, and then the next one has
/// its turn.
const TURNS: u32 = 4;
/// The bytes of requests that a recording keeps.
const LONGEST_RECORDING: usize = 64 << 20;

/// The requests that wait for an answer. It is a resource for the world, or a value beside it.
///
/// A clone is another handle of the same queue and the same server. Snapshots of a world and files
/// do not contain the queue, so that a world which was restored goes on with the same server. The
/// server stops when its last handle is dropped.
///
/// See the [crate](crate) for an example.
#[derive(Resource, Clone, Default)]
#[resource(skip, hidden)]
pub struct Remote {
    shared: Arc<Shared>,
}

/// The state that all handles of one [`Remote`] share.
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
    pub(crate) job: Job,
    pub(crate) answer: oneshot::Sender<Reply>,
}

/// The answer to a request of the server.
pub(crate) enum Reply {
    /// An answer at once.
    Whole(Response),
    /// The messages of a watch.
    Events(Events),
}

/// The state from which queued requests are answered.
struct State {
    dispatcher: Dispatcher,
    watchers: VecDeque<Watcher>,
    /// The number of calls of `serve` so far.
    calls: u64,
    recording: Option<Recording>,
    replayed: VecDeque<(u64, Request)>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            dispatcher: Dispatcher::new(&Options::new()),
            watchers: VecDeque::new(),
            calls: 0,
            recording: None,
            replayed: VecDeque::new(),
        }
    }
}

/// The counts and the duration of one call of [`Remote::serve`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Served {
    /// The requests that were answered.
    pub answered: usize,
    /// The requests that are left in the queue, with those that are not finished.
    pub left: usize,
    /// The clients that watch.
    pub watchers: usize,
    /// The time that it has taken.
    pub took: Duration,
}

/// The requests that may have changed a world, with the call of [`Remote::serve`] that answered
/// each. It can be saved in any format.
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

    /// Adds a request, or takes it back if it has changed nothing yet.
    fn log(&mut self, call: u64, request: &Request, begins: bool) {
        // a request that cannot write need not be replayed
        if !request.may_write || request.method == Method::Get {
            return;
        }
        let bytes = request.target.len() + request.body.len() + size_of::<Request>();
        // a later attempt of the request stands for the first one, which has changed nothing
        if !begins {
            if !self.is_full {
                self.requests.pop();
                self.bytes -= bytes;
            }
            return;
        }
        // once full, it stays so: a recording with a gap would replay another run
        self.is_full |= self.bytes + bytes > LONGEST_RECORDING;
        if !self.is_full {
            self.bytes += bytes;
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
        let options = options.port(server.address().port());
        let state = State { dispatcher: Dispatcher::new(&options), ..State::default() };
        Ok(Self { shared: Arc::new(Shared { queue, state: Mutex::new(state), server: Some(server) }) })
    }

    /// Answers the requests of a recording in the calls of [`serve`](Self::serve) that answered
    /// them, without a server. The allow list and the sizes of the options are those of the
    /// recorded run.
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

    /// Answers the requests that wait, in the order in which they came in, until the number or the
    /// time of [`Limits`](crate::Limits) for one call is reached. The rest stays in the queue. A
    /// request that takes longer goes on in the next calls, in turn with the others. Then it tells
    /// the clients that watch what has changed. It does not wait for requests.
    ///
    /// Changes are never divided: a request that changes the world does so within one call. The
    /// rows of a long query are those of the calls that have read them.
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
        let mut served = Served::default();
        while state.replayed.front().is_some_and(|(at, _)| *at <= call) {
            let Some((_, request)) = state.replayed.pop_front() else { break };
            state.dispatcher.answer(world, &request);
            served.answered += 1;
        }
        while served.answered < limits.per_call && begin.elapsed() < limits.budget {
            let Some(Waiting { mut job, answer }) = self.shared.queue.pop() else { break };
            if answer.is_closed() {
                continue; // the client is gone
            }
            // a long request does not spend the time of the others
            let deadline = Instant::now() + limits.budget / TURNS;
            match state.answer(world, &mut job, call, deadline.min(begin + limits.budget)) {
                Some(reply) => {
                    // a client that has gone meanwhile misses its answer
                    let _ = answer.send(reply);
                    served.answered += 1;
                }
                None => self.shared.queue.push(Waiting { job, answer }),
            }
        }
        state.tell_watchers(world, begin);
        served.watchers = state.watchers.len();
        state.dispatcher.history.push(&Sample::of(world, served.answered));
        served.left = self.shared.queue.len();
        served.took = begin.elapsed();
        served
    }

    /// Adds a method to JSON-RPC. Its requests are answered by [`serve`](Self::serve) like all
    /// others, and are recorded and replayed with them, so that its effects on the world should
    /// depend on the world and the parameters only. `call` gets the world as far as the request may
    /// see and change it: a request that may not write gets a world for reading.
    ///
    /// [`Limits::work`](crate::Limits::work) does not bound the work of `call`. It must not use
    /// this `Remote`, which waits for it.
    ///
    /// An `Err` is the message of an error with the code -32002. A second method of the same name
    /// replaces the first one.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # world! { #[derive(Reflect)] struct Game {} }
    /// use ecs_remote::serde_json::json;
    /// use ecs_remote::{Options, Remote};
    ///
    /// let remote = Remote::bind(Options::new().port(0))?;
    /// remote.extend("game.count", |world, _params| Ok(json!(world.as_ref().len())));
    /// # remote.serve(&mut Game::new());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the name is that of a method which every server has.
    pub fn extend(
        &self,
        method: impl Into<String>,
        call: impl FnMut(&mut ReflectMut<'_>, &Map<String, Value>) -> Result<Value, String> + Send + 'static,
    ) {
        self.state().dispatcher.extend(method, call);
    }

    /// Starts a new recording, or ends it. Calls of [`serve`](Self::serve) count from 0 again.
    pub fn record(&self, on: bool) {
        let mut state = self.state();
        state.recording = on.then(Recording::default);
        state.calls = 0;
    }

    /// The requests since [`record`](Self::record) that may have changed the world; `None` without
    /// a recording.
    #[must_use]
    pub fn recording(&self) -> Option<Recording> {
        self.state().recording.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // a panic of a `Serialize` leaves the state whole
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Answers a request, or begins a watch; `None` if the request goes on later.
    fn answer(
        &mut self,
        world: &mut dyn ReflectWorld,
        job: &mut Job,
        call: u64,
        deadline: Instant,
    ) -> Option<Reply> {
        if let Some(asked) = job.fresh().and_then(watch::asked) {
            return Some(self.begin_watch(world, asked));
        }
        let recording = &mut self.recording;
        let response = job.work(&mut self.dispatcher, world, Some(deadline), &mut |request, begins| {
            if let Some(recording) = recording {
                recording.log(call, request, begins);
            }
        });
        response.map(Reply::Whole)
    }

    fn begin_watch(&mut self, world: &mut dyn ReflectWorld, asked: Map<String, Value>) -> Reply {
        let limits = &self.dispatcher.options.limits;
        // clients that watch never take the last connection
        let limit = limits.watchers.min(limits.connections.saturating_sub(1));
        self.watchers.retain(|watcher| !watcher.is_gone());
        if self.watchers.len() >= limit {
            let error = RpcError::limit(format!("{limit} clients watch already, and more are not allowed"));
            let id = asked.get("id").cloned().unwrap_or_default();
            return Reply::Whole(Response { status: 200, body: json_rpc::reply(&id, Err(&error)) });
        }
        let mut progress = Progress::default();
        let mut door = match self.dispatcher.door(world, false, &mut progress) {
            Ok(door) => door,
            Err(refused) => return Reply::Whole(refused),
        };
        match Watch::new(&mut door, asked) {
            Ok(watch) => {
                let (watcher, events) = Watcher::new(watch);
                // the next one that is told
                self.watchers.push_front(watcher);
                Reply::Events(events)
            }
            Err(body) => Reply::Whole(Response { status: 200, body }),
        }
    }

    /// Tells the clients that watch what has changed, at least one of them, and until the time of
    /// the call is spent. The next call goes on with those that were left out.
    fn tell_watchers(&mut self, world: &mut dyn ReflectWorld, begin: Instant) {
        for told in 0..self.watchers.len() {
            if told > 0 && begin.elapsed() >= self.dispatcher.options.limits.budget {
                break;
            }
            let Some(mut watcher) = self.watchers.pop_front() else { break };
            let mut progress = Progress::default();
            let Ok(mut door) = self.dispatcher.door(world, false, &mut progress) else { continue };
            if !watcher.is_gone() && watcher.tell(&mut door) {
                self.watchers.push_back(watcher);
            }
        }
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
    /// Adds a request to the queue, and drops those whose clients have disconnected. So there are
    /// no more requests than connections.
    pub(crate) fn push(&self, waiting: Waiting) {
        let mut queue = self.lock();
        queue.retain(|waiting| !waiting.answer.is_closed());
        queue.push_back(waiting);
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
