//! [`Queue`]: the requests that the server has read and the program has not answered, and the way
//! of the answers back to the server's thread.
//!
//! Clients that ask the same share one answer: a request that only reads joins an equal one that
//! waits, unless a request that may change the world came in between. So each tool of a thousand
//! that ask for the same costs the program nothing but the first one's answer.
//!
//! The answers of a call go to the server's thread at once, which wakes it once. It hands them to
//! the connections.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use hyper::body::Bytes;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::dispatch::{Request, Response};
use crate::job::Job;
use crate::json_rpc;
use crate::watch::mailbox::Messages;

/// The requests that the server has put in.
#[derive(Default)]
pub(crate) struct Queue {
    requests: Mutex<Requests>,
    /// The way to the server's thread; `None` without a server.
    deliveries: Option<mpsc::UnboundedSender<Vec<Delivery>>>,
}

#[derive(Default)]
struct Requests {
    waiting: VecDeque<Waiting>,
    /// Those that go on in the next call.
    begun: VecDeque<Waiting>,
    /// Whether a request that goes on is the next one.
    is_turn_of_begun: bool,
    /// The clients of the waiting requests that only read. The number is that of the requests
    /// before them that may change the world.
    shared: HashMap<Shared, Vec<Client>>,
    changes: u64,
    /// The clients since the last look for those that have gone, and the number for the next look.
    pushed: usize,
    most: usize,
}

/// A request that only reads, without its id.
type Shared = (u64, Request);

/// A request, and the clients that wait for its answer.
pub(crate) struct Waiting {
    pub(crate) job: Job,
    pub(crate) clients: Vec<Client>,
    shared: Option<Shared>,
    is_begun: bool,
}

/// A client that waits for an answer.
pub(crate) struct Client {
    /// The id of its request, if the answer is one to equal requests.
    id: Option<Value>,
    answer: oneshot::Sender<Reply>,
}

/// The answer to a request of the server.
pub(crate) enum Reply {
    /// An answer at once: the status, and two parts of the body.
    Whole(u16, Bytes, Bytes),
    /// The messages of a watch.
    Events(Messages),
}

/// A message to the server's thread.
pub(crate) enum Delivery {
    /// The answer for some clients.
    Answer(Vec<Client>, Response),
    /// A watch begins.
    Watch(Vec<Client>, Messages),
    /// A connection has messages.
    Wake(Waker),
}

/// The messages of a call, which the server's thread gets when this is dropped: also if a request
/// after those that are answered panics.
pub(crate) struct Deliveries<'q> {
    queue: &'q Queue,
    all: Vec<Delivery>,
}

impl<'q> Deliveries<'q> {
    pub(crate) fn to(queue: &'q Queue) -> Self {
        Self { queue, all: Vec::new() }
    }

    pub(crate) fn push(&mut self, delivery: Delivery) {
        self.all.push(delivery);
    }

    /// Wakes a connection.
    pub(crate) fn wake(&mut self, waker: Option<Waker>) {
        self.all.extend(waker.map(Delivery::Wake));
    }
}

impl Drop for Deliveries<'_> {
    fn drop(&mut self) {
        let all = std::mem::take(&mut self.all);
        match &self.queue.deliveries {
            _ if all.is_empty() => {}
            // after its end, no client waits
            Some(server) => _ = server.send(all),
            None => all.into_iter().for_each(Delivery::run),
        }
    }
}

/// The fewest clients between two looks for those that have gone.
const FEWEST: usize = 64;

impl Queue {
    /// A queue, and the other end of its deliveries.
    pub(crate) fn new() -> (Self, mpsc::UnboundedReceiver<Vec<Delivery>>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Self { deliveries: Some(sender), ..Self::default() }, receiver)
    }

    /// Adds a request to the queue, or a client to an equal one. The number of clients is bounded,
    /// since each has a connection.
    pub(crate) fn push(&self, request: Request, answer: oneshot::Sender<Reply>) {
        // the text is parsed before the queue is locked
        let shared = json_rpc::without_id(&request);
        let mut queue = self.lock();
        queue.forget_gone();
        let Some((request, id)) = shared else {
            queue.changes += 1;
            let clients = vec![Client { id: None, answer }];
            queue.waiting.push_back(Waiting {
                job: Job::new(request),
                clients,
                shared: None,
                is_begun: false,
            });
            return;
        };
        let (key, client) = ((queue.changes, request), Client { id, answer });
        if let Some(clients) = queue.shared.get_mut(&key) {
            clients.push(client);
            return;
        }
        let job = Job::new(key.1.clone());
        queue.shared.insert(key.clone(), vec![client]);
        queue.waiting.push_back(Waiting { job, clients: Vec::new(), shared: Some(key), is_begun: false });
    }

    /// The next request that a client still waits for: in turn a new one and one that goes on.
    pub(crate) fn pop(&self) -> Option<Waiting> {
        let mut queue = self.lock();
        loop {
            queue.is_turn_of_begun ^= true;
            let mut waiting = match queue.is_turn_of_begun {
                true => queue.begun.pop_front().or_else(|| queue.waiting.pop_front()),
                false => queue.waiting.pop_front().or_else(|| queue.begun.pop_front()),
            }?;
            if let Some(key) = waiting.shared.take() {
                waiting.clients = queue.shared.remove(&key).unwrap_or_default();
            }
            waiting.clients.retain(Client::is_there);
            if !waiting.clients.is_empty() {
                return Some(waiting);
            }
        }
    }

    /// Puts a request back that goes on in the next call. The first of those that go on ends before
    /// the others: if they took turns, all of many would end late.
    pub(crate) fn put_back(&self, waiting: Waiting) {
        let mut queue = self.lock();
        match waiting.is_begun {
            true => queue.begun.push_front(waiting),
            false => queue.begun.push_back(Waiting { is_begun: true, ..waiting }),
        }
    }

    /// The number of clients that wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Requests {
    /// Forgets the clients that have disconnected, before they are as many as the others. So there
    /// are no more than twice as many clients as connections.
    fn forget_gone(&mut self) {
        self.pushed += 1;
        if self.pushed < self.most.max(FEWEST) {
            return;
        }
        let shared = &mut self.shared;
        shared.values_mut().for_each(|clients| clients.retain(Client::is_there));
        shared.retain(|_, clients| !clients.is_empty());
        self.waiting.retain_mut(|waiting| {
            waiting.clients.retain(Client::is_there);
            match &waiting.shared {
                Some(key) => shared.contains_key(key),
                None => !waiting.clients.is_empty(),
            }
        });
        self.begun.retain(|waiting| waiting.clients.iter().any(Client::is_there));
        (self.pushed, self.most) = (0, self.len());
    }

    /// The number of clients.
    fn len(&self) -> usize {
        let alone = self.waiting.iter().chain(&self.begun);
        let alone: usize = alone.map(|waiting| waiting.clients.len()).sum();
        alone + self.shared.values().map(Vec::len).sum::<usize>()
    }
}

impl Client {
    fn is_there(&self) -> bool {
        !self.answer.is_closed()
    }
}

impl Delivery {
    /// Hands the answer to the connections. Runs on the server's thread.
    pub(crate) fn run(self) {
        match self {
            Self::Answer(clients, Response { status, body }) => {
                let body = Bytes::from(body);
                for Client { id, answer } in clients {
                    let (head, rest) = match id {
                        Some(id) => json_rpc::with_id(&body, &id),
                        None => (Bytes::new(), body.clone()),
                    };
                    // a client that has gone meanwhile misses its answer
                    let _ = answer.send(Reply::Whole(status, head, rest));
                }
            }
            Self::Watch(clients, messages) => {
                // a watch has one client
                if let Some(client) = clients.into_iter().next() {
                    let _ = client.answer.send(Reply::Events(messages));
                }
            }
            Self::Wake(waker) => waker.wake(),
        }
    }
}
