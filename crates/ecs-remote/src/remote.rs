//! [`Remote`]: the requests that wait for an answer, and the call that answers them.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ecs::Resource;
use ecs::reflect::{ReflectMut, ReflectWorld};
use serde_json::{Map, Value};

use crate::dispatch::{Dispatcher, Response};
use crate::history::Sample;
use crate::job::{Job, Progress};
use crate::json_rpc::{self, RpcError};
use crate::options::Options;
use crate::queue::{Client, Deliveries, Delivery, Queue};
use crate::recording::{Mismatch, Recording, Replay};
use crate::server::Server;
use crate::watch::mailbox::Messages;
use crate::watch::{self, Topics};

/// A request is worked on for one of this many parts of a call's time, and then the next one has
/// its turn.
const TURNS: u32 = 4;

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

/// The state from which queued requests are answered.
struct State {
    dispatcher: Dispatcher,
    topics: Topics,
    /// The number of calls of `serve` so far.
    calls: u64,
    recording: Option<Recording>,
    replay: Replay,
}

impl Default for State {
    fn default() -> Self {
        Self {
            dispatcher: Dispatcher::new(&Options::new()),
            topics: Topics::default(),
            calls: 0,
            recording: None,
            replay: Replay::default(),
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

impl Remote {
    /// Listens for requests, which a thread of its own reads.
    ///
    /// # Errors
    /// If the address is not available.
    pub fn bind(options: Options) -> io::Result<Self> {
        let (queue, deliveries) = Queue::new();
        let queue = Arc::new(queue);
        let server = Server::start(&options, Arc::clone(&queue), deliveries)?;
        let options = options.port(server.address().port());
        let state = State { dispatcher: Dispatcher::new(&options), ..State::default() };
        Ok(Self { shared: Arc::new(Shared { queue, state: Mutex::new(state), server: Some(server) }) })
    }

    /// Answers the requests of a recording in the calls of [`serve`](Self::serve) that answered
    /// them, without a server. The allow list and the sizes of the options are those of the
    /// recorded run.
    ///
    /// If the recording has answers, [`mismatches`](Self::mismatches) returns those that differ
    /// now, so that the recording of a session is a test of the world:
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs_remote::{Options, Recording, Remote};
    ///
    /// world! { #[derive(Reflect)] struct Game {} }
    ///
    /// // the text of a file that `Remote::record_all` has made
    /// let session = r#"
    ///     {"call":0,"request":{"jsonrpc":"2.0","id":1,"method":"world.spawn_entity"},"may_write":true,"answer":{"jsonrpc":"2.0","id":1,"result":{"entity":4294967296}}}
    ///     {"call":2,"request":{"jsonrpc":"2.0","id":2,"method":"world.list_components"},"answer":{"jsonrpc":"2.0","id":2,"result":["Health"]}}
    /// "#;
    /// let replay = Remote::replay(session.parse()?, &Options::new());
    /// let mut game = Game::new();
    /// for _ in 0..3 {
    ///     replay.serve(&mut game); // where the program calls it
    /// }
    /// let [differs] = &replay.mismatches()[..] else { panic!() };
    /// assert_eq!((differs.call, &*differs.answered), (2, r#"{"jsonrpc":"2.0","id":2,"result":[]}"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn replay(recording: Recording, options: &Options) -> Self {
        let (dispatcher, replay) = (Dispatcher::new(options), Replay::new(recording));
        let state = State { dispatcher, replay, ..State::default() };
        Self { shared: Arc::new(Shared { state: Mutex::new(state), ..Shared::default() }) }
    }

    /// The address of the server; `None` without a server.
    #[must_use]
    pub fn address(&self) -> Option<SocketAddr> {
        self.shared.server.as_ref().map(Server::address)
    }

    /// Answers the requests that wait, in the order in which they came in, until the number or the
    /// time of [`Limits`](crate::Limits) for one call is reached. The rest stays in the queue. A
    /// request that takes longer goes on in the next calls, in turn with the others. Equal requests
    /// that only read get one answer. Then it tells the clients that watch what has changed. It
    /// does not wait for requests.
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
        let State { replay, dispatcher, .. } = &mut *state;
        served.answered += replay.call(call, dispatcher, world);
        state.topics.forget_gone();
        // the clients that watch have a part of the time
        let is_watched = state.topics.watchers() > 0;
        let end = begin + if is_watched { limits.budget / TURNS * (TURNS - 1) } else { limits.budget };
        let (mut deliveries, mut requests) = (Deliveries::to(&self.shared.queue), 0);
        while requests < limits.per_call && Instant::now() < end {
            let Some(mut waiting) = self.shared.queue.pop() else { break };
            // a long request does not spend the time of the others
            let deadline = Instant::now() + limits.budget / TURNS;
            match state.answer(world, &mut waiting.job, call, deadline.min(end)) {
                Some(answer) => {
                    requests += 1;
                    served.answered += waiting.clients.len();
                    deliveries.push(answer.to(waiting.clients));
                }
                None => self.shared.queue.put_back(waiting),
            }
        }
        let State { topics, dispatcher, .. } = &mut *state;
        topics.tell(dispatcher, world, (begin + limits.budget, limits.budget / TURNS), &mut deliveries);
        drop(deliveries);
        served.watchers = state.topics.watchers();
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

    /// Starts a new recording of the requests that may change the world, or ends it. Calls of
    /// [`serve`](Self::serve) count from 0 again.
    pub fn record(&self, on: bool) {
        self.state().start(on.then(Recording::default));
    }

    /// Starts a new recording of all requests and their answers. Calls of [`serve`](Self::serve)
    /// count from 0 again.
    ///
    /// It has no answers of requests that took several calls, nor of `/stats` and the like, which
    /// depend on the clock or the port, and no watches. Equal requests that were answered together
    /// are one.
    pub fn record_all(&self) {
        self.state().start(Some(Recording::of_all()));
    }

    /// The requests since [`record`](Self::record) or [`record_all`](Self::record_all); `None`
    /// without a recording.
    #[must_use]
    pub fn recording(&self) -> Option<Recording> {
        self.state().recording.clone()
    }

    /// The requests of a [replay](Self::replay) so far whose answers differ from the recorded ones.
    #[must_use]
    pub fn mismatches(&self) -> Vec<Mismatch> {
        self.state().replay.mismatches.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // a panic of a `Serialize` leaves the state whole
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to a request of the queue.
enum Answer {
    Response(Response),
    Watch(Messages),
}

impl Answer {
    fn to(self, clients: Vec<Client>) -> Delivery {
        match self {
            Self::Response(response) => Delivery::Answer(clients, response),
            Self::Watch(messages) => Delivery::Watch(clients, messages),
        }
    }
}

impl State {
    fn start(&mut self, recording: Option<Recording>) {
        (self.recording, self.calls) = (recording, 0);
    }

    /// Answers a request, or begins a watch; `None` if the request goes on later.
    fn answer(
        &mut self,
        world: &mut dyn ReflectWorld,
        job: &mut Job,
        call: u64,
        deadline: Instant,
    ) -> Option<Answer> {
        if let Some(asked) = job.fresh().and_then(watch::asked) {
            return Some(self.begin_watch(world, asked));
        }
        let recording = &mut self.recording;
        let response = job.work(&mut self.dispatcher, world, Some(deadline), &mut |request, step| {
            if let Some(recording) = recording {
                recording.log(call, request, step);
            }
        });
        response.map(Answer::Response)
    }

    fn begin_watch(&mut self, world: &mut dyn ReflectWorld, asked: Map<String, Value>) -> Answer {
        let limits = &self.dispatcher.options.limits;
        // clients that watch never take the last connection
        let limit = limits.watchers.min(limits.connections.saturating_sub(1));
        if self.topics.watchers() >= limit {
            let error = RpcError::limit(format!("{limit} clients watch already, and more are not allowed"));
            let id = asked.get("id").cloned().unwrap_or_default();
            return Answer::Response(Response { status: 200, body: json_rpc::reply(&id, Err(&error)) });
        }
        let mut progress = Progress::default();
        let mut door = match self.dispatcher.door(world, false, &mut progress) {
            Ok(door) => door,
            Err(refused) => return Answer::Response(refused),
        };
        match self.topics.begin(&mut door, asked) {
            Ok(messages) => Answer::Watch(messages),
            Err(body) => Answer::Response(Response { status: 200, body }),
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
