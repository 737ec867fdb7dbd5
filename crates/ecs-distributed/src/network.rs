//! [`Network`]: workers on threads and processes, over `timely`.
//!
//! The processes connect and shake hands themselves ([`connect`]), since `timely` waits for
//! connections without end and does not compare programs. A [`Watched`] stream tells the workers
//! when a connection is lost, where a plain one would make a thread of `timely` panic.

mod connect;
mod hosts;
mod key;
mod watched;

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use timely::WorkerConfig;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{AllocatorBuilder, Hooks};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::Exchange as ExchangePact;
use timely::dataflow::operators::Input;
use timely::dataflow::operators::generic::Operator;
use timely::worker::Worker as TimelyWorker;

use crate::exchange::{DEFAULT_TIMEOUT, first_error};
use crate::{Exchange, RunError};

use connect::Mesh;
pub use connect::fingerprint_of_program;
pub use hosts::{process_of_environment, read_hosts};
pub use key::Key;
use watched::Watched;

/// The options of a run, which all its processes must have in common, and the time for which they
/// wait for each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkOptions {
    /// The number of workers of each process.
    pub workers: usize,
    /// The number of processes.
    pub processes: usize,
    /// A number that only equal programs with equal options have: processes with another one are
    /// refused. See [`fingerprint_of_program`].
    pub fingerprint: u64,
    /// The secret that all processes have: connections of others are closed.
    pub key: Key,
    /// The time after which a worker that sends nothing counts as hanging: more than the longest
    /// tick.
    pub timeout: Duration,
    /// The time within which all processes must be connected.
    pub connect_timeout: Duration,
}

impl NetworkOptions {
    /// Options for a number of workers in each of a number of processes, with 60 seconds for a
    /// message, 30 for the connections, and no key of their own.
    pub fn new(workers: usize, processes: usize, fingerprint: u64) -> Self {
        let connect_timeout = Duration::from_secs(30);
        Self {
            workers,
            processes,
            fingerprint,
            key: Key::default(),
            timeout: DEFAULT_TIMEOUT,
            connect_timeout,
        }
    }

    /// Checks the numbers, for a process of this number.
    fn check(&self, process: usize) -> Result<(), RunError> {
        let Self { workers, processes, .. } = *self;
        let fail = |text: String| Err(RunError::System(text));
        if workers == 0 {
            return fail("a process has at least one worker".to_owned());
        }
        if process >= processes {
            return fail(format!("there is no process {process} among {processes}"));
        }
        if workers.checked_mul(processes).is_none_or(|all| all > MOST_WORKERS) {
            return fail(format!(
                "{processes} processes of {workers} workers: a run has at most {MOST_WORKERS} workers"
            ));
        }
        Ok(())
    }
}

/// The most workers of a run.
const MOST_WORKERS: usize = 1 << 20;

/// The connections between the processes of a run.
///
/// ```
/// use ecs_distributed::{Exchange, Network, NetworkOptions};
///
/// let sums = Network::threads(NetworkOptions::new(2, 1, 0))?.run(|exchange| {
///     let messages = vec![vec![exchange.index() as u8 + 1]; 2];
///     let received = exchange.exchange(messages)?;
///     Ok(received[0][0] + received[1][0])
/// })?;
/// assert_eq!(sums, [3, 3]);
/// # Ok::<(), ecs_distributed::RunError>(())
/// ```
#[derive(Debug)]
pub struct Network {
    options: NetworkOptions,
    process: usize,
    /// For each other process the connection and its address.
    streams: Vec<Option<(TcpStream, String)>>,
}

impl Network {
    /// Workers on the threads of this process, without connections.
    ///
    /// # Errors
    /// If the options name several processes, or no worker.
    pub fn threads(options: NetworkOptions) -> Result<Self, RunError> {
        if options.processes != 1 {
            return Err(RunError::System("several processes need connections".to_owned()));
        }
        options.check(0)?;
        Ok(Self { options, process: 0, streams: vec![None] })
    }

    /// The first process of a run: the others [join](Self::join) it at the address of `listener`.
    /// An address of the loopback with port 0 serves for processes of one machine.
    ///
    /// # Errors
    /// If the processes have not joined in time, or are of another program. A connection that does
    /// not begin as that of a process is closed, and is no error.
    pub fn host(listener: &TcpListener, options: NetworkOptions) -> Result<Self, RunError> {
        let streams = Mesh::new(options, 0)?.host(listener)?;
        Ok(Self { options, process: 0, streams })
    }

    /// Joins the process that hosts a run, as process `process`, which is 1 or more.
    ///
    /// # Errors
    /// If the host or another process cannot be reached in time, or is of another program.
    pub fn join(host: &str, process: usize, options: NetworkOptions) -> Result<Self, RunError> {
        let streams = Mesh::new(options, process)?.join(host)?;
        Ok(Self { options, process, streams })
    }

    /// Connects processes of several machines. Process `n` listens at address `n`, as in
    /// `host:port`: see [`read_hosts`], and [`process_of_environment`] for the number of this
    /// process.
    ///
    /// # Errors
    /// If a process cannot be reached in time, does not have the key, or is of another program: it
    /// is named by its number and address.
    pub fn hosts(addresses: &[String], process: usize, options: NetworkOptions) -> Result<Self, RunError> {
        let streams = Mesh::new(options, process)?.hosts(addresses)?;
        Ok(Self { options, process, streams })
    }

    /// The number of this process.
    pub fn process(&self) -> usize {
        self.process
    }

    /// Calls `f` on one thread for each worker of this process, and returns the results in their
    /// order.
    ///
    /// After an error the threads of connections are left to themselves, until the program ends.
    ///
    /// # Errors
    /// The error of the first worker of this process that failed for another reason than the loss
    /// of another worker; otherwise the first error. A worker that panics is an error.
    pub fn run<R, F>(self, f: F) -> Result<Vec<R>, RunError>
    where
        R: Send + 'static,
        F: Fn(&mut NetworkExchange<'_>) -> Result<R, RunError> + Send + Sync + 'static,
    {
        let NetworkOptions { workers, timeout, .. } = self.options;
        let hooks = Hooks::default();
        let threads = ProcessBuilder::new_typed_vector(workers, hooks.refill.clone(), None);
        let failure = Arc::new(Failure::default());
        let mut guard: Option<Box<dyn Any + Send>> = None;
        let builders: Vec<AllocatorBuilder> = if self.streams.len() == 1 {
            threads.into_iter().map(AllocatorBuilder::Process).collect()
        } else {
            let own = self.process * workers;
            let watch = |(stream, peer)| Watched::new(stream, peer, own..own + workers, Arc::clone(&failure));
            let streams = self.streams.into_iter().map(|stream| stream.map(watch).transpose());
            let streams: Result<Vec<_>, _> = streams.collect();
            let streams = streams.map_err(|error| RunError::System(error.to_string()))?;
            let made = initialize_networking_from_sockets(threads, streams, self.process, workers, hooks);
            let (builders, connections) = made.map_err(|error| RunError::System(error.to_string()))?;
            guard = Some(Box::new(connections));
            builders.into_iter().map(AllocatorBuilder::Tcp).collect()
        };
        let failed = Arc::clone(&failure);
        let body = move |worker: &mut TimelyWorker| {
            let index = worker.index();
            let dataflow = worker.next_dataflow_index();
            let mut exchange = NetworkExchange::new(worker, timeout, &failed);
            let result = catch_unwind(AssertUnwindSafe(|| f(&mut exchange)));
            let result = result.unwrap_or_else(|panic| {
                Err(RunError::System(format!("worker {index} has panicked: {}", text_of(panic))))
            });
            drop(exchange);
            if result.is_err() {
                failed.set(format!("worker {index}"), "the worker has failed");
                failed.close();
            }
            // it would wait for the others, who may be gone
            worker.drop_dataflow(dataflow);
            result
        };
        let guards = timely::execute::execute_from(builders, Box::new(()), WorkerConfig::default(), body);
        let results = guards.map_err(RunError::System)?.join();
        let results =
            results.into_iter().map(|result| result.unwrap_or_else(|error| Err(RunError::System(error))));
        let results = first_error(results.collect());
        match guard {
            Some(guard) if results.is_err() => std::mem::forget(guard),
            Some(guard) => {
                // waits until the other processes have closed their connections, too
                let (sender, closed) = channel();
                std::thread::spawn(move || {
                    drop(guard);
                    let _ = sender.send(());
                });
                let _ = closed.recv_timeout(timeout);
            }
            None => {}
        }
        results
    }
}

/// The message of a panic.
fn text_of(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    let text = text.to_owned();
    std::mem::forget(panic); // its drop could panic
    text
}

/// The first loss of a connection or worker that a process notices.
#[derive(Default)]
struct Failure {
    first: Mutex<Option<(String, String)>>,
    /// The connections, to be closed so that the other processes notice a failure of this one.
    streams: Mutex<Vec<TcpStream>>,
}

impl Failure {
    fn set(&self, peer: String, reason: impl fmt::Display) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| (peer, reason.to_string()));
    }

    fn get(&self) -> Result<(), RunError> {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        match &*first {
            Some((peer, reason)) => Err(RunError::Lost { peer: peer.clone(), reason: reason.clone() }),
            None => Ok(()),
        }
    }

    fn watch(&self, stream: TcpStream) {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).push(stream);
    }

    fn close(&self) {
        for stream in &*self.streams.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// A message in a dataflow.
#[derive(Clone, Serialize, Deserialize)]
struct Parcel {
    to: u64,
    from: u64,
    round: u64,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
}

/// An [`Exchange`] over a dataflow of `timely`: each exchange is an epoch of its input.
pub struct NetworkExchange<'w> {
    worker: &'w mut TimelyWorker,
    input: InputHandle<u64, CapacityContainerBuilder<Vec<Parcel>>>,
    inbox: Rc<RefCell<Vec<Parcel>>>,
    round: u64,
    timeout: Duration,
    failure: &'w Failure,
}

/// The time after which a waiting worker looks whether another one has failed.
const LOOK: Duration = Duration::from_millis(20);

impl<'w> NetworkExchange<'w> {
    fn new(worker: &'w mut TimelyWorker, timeout: Duration, failure: &'w Failure) -> Self {
        let mut input = InputHandle::new();
        let inbox = Rc::<RefCell<Vec<Parcel>>>::default();
        let into = Rc::clone(&inbox);
        worker.dataflow(|scope| {
            let parcels = scope.input_from(&mut input);
            parcels.sink(ExchangePact::new(|parcel: &Parcel| parcel.to), "receive", move |(input, _)| {
                input.for_each_stamp(|_, data| {
                    for parcels in data {
                        into.borrow_mut().append(parcels);
                    }
                });
            });
        });
        Self { worker, input, inbox, round: 0, timeout, failure }
    }

    /// Lets `timely` work. It panics if another process sends what it cannot read.
    fn step(&mut self, step: impl FnOnce(&mut TimelyWorker)) -> Result<(), RunError> {
        let result = catch_unwind(AssertUnwindSafe(|| step(self.worker)));
        result.map_err(|panic| {
            let round = self.round;
            RunError::System(format!(
                "a message of another process cannot be read, in exchange {round}: {}",
                text_of(panic)
            ))
        })
    }
}

impl Exchange for NetworkExchange<'_> {
    fn index(&self) -> usize {
        self.worker.index()
    }

    fn workers(&self) -> usize {
        self.worker.peers()
    }

    fn exchange(&mut self, to_each: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, RunError> {
        let (own, workers, round) = (self.index(), self.workers(), self.round);
        assert_eq!(to_each.len(), workers, "one message for each worker");
        let mut received: Vec<Option<Vec<u8>>> = vec![None; workers];
        for (to, bytes) in to_each.into_iter().enumerate() {
            if to == own {
                received[own] = Some(bytes);
            } else {
                self.input.send(Parcel { to: to as u64, from: own as u64, round, bytes });
            }
        }
        self.round += 1;
        self.input.advance_to(self.round);
        // also sends, so that it runs once even if all messages are here
        self.step(|worker| _ = worker.step())?;
        let begin = Instant::now();
        loop {
            let mut wrong = None;
            self.inbox.borrow_mut().retain_mut(|parcel| {
                let slot = usize::try_from(parcel.from).ok().and_then(|from| received.get_mut(from));
                match slot {
                    Some(slot) if parcel.round == round && slot.is_none() => {
                        *slot = Some(std::mem::take(&mut parcel.bytes));
                        false
                    }
                    // a worker that has all messages of this round may have sent those of the next
                    // one
                    Some(_) if parcel.round == round + 1 => true,
                    _ => {
                        wrong = Some((parcel.from, parcel.round));
                        false
                    }
                }
            });
            if let Some((from, of)) = wrong {
                let reason =
                    format!("it is the message of exchange {of}, and this worker is at exchange {round}");
                return Err(RunError::damaged(from as usize, reason));
            }
            if received.iter().all(Option::is_some) {
                return Ok(received.into_iter().flatten().collect());
            }
            self.failure.get()?;
            if begin.elapsed() >= self.timeout {
                let missing = received.iter().enumerate().filter(|(_, message)| message.is_none());
                let missing = missing.map(|(from, _)| from).collect();
                return Err(RunError::Timeout { missing, waited: self.timeout });
            }
            self.step(|worker| _ = worker.step_or_park(Some(LOOK)))?;
        }
    }
}

impl fmt::Debug for NetworkExchange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NetworkExchange")
            .field("index", &self.worker.index())
            .field("workers", &self.worker.peers())
            .finish_non_exhaustive()
    }
}
