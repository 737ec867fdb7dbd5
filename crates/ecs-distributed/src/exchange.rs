//! [`Exchange`]: the seam between a worker and the engine that carries its messages.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

use crate::RunError;

/// The exchange of messages between the workers of a run. An engine implements it: threads of one
/// process ([`InProcess`]), or another library that has an all-to-all exchange.
pub trait Exchange {
    /// The number of this worker, below [`workers`](Self::workers).
    fn index(&self) -> usize;

    /// The number of workers, at least 1.
    fn workers(&self) -> usize;

    /// Sends message `n` of `to_each` to worker `n`, and returns the messages of workers 0, 1, ..
    /// to this worker. All workers call it equally often. The message of a worker to itself is
    /// returned as it is.
    ///
    /// # Errors
    /// If a worker cannot be reached, or does not send within the time that the engine allows.
    fn exchange(&mut self, to_each: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, RunError>;
}

impl<E: Exchange + ?Sized> Exchange for &mut E {
    fn index(&self) -> usize {
        (**self).index()
    }

    fn workers(&self) -> usize {
        (**self).workers()
    }

    fn exchange(&mut self, to_each: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, RunError> {
        (**self).exchange(to_each)
    }
}

/// The time after which a worker that sends nothing counts as hanging, unless another one is set.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// An [`Exchange`] between threads of one process, over channels.
///
/// ```
/// use ecs_distributed::{Exchange, InProcess};
///
/// let sums = InProcess::run(3, |mut exchange| {
///     let message = vec![exchange.index() as u8 + 1];
///     let received = exchange.exchange(vec![message; 3])?;
///     Ok(received.iter().map(|message| message[0]).sum::<u8>())
/// })?;
/// assert_eq!(sums, [6, 6, 6]);
/// # Ok::<(), ecs_distributed::RunError>(())
/// ```
#[derive(Debug)]
pub struct InProcess {
    index: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
    timeout: Duration,
}

impl InProcess {
    /// One exchange for each of a number of workers, in their order.
    ///
    /// # Panics
    /// If `workers` is 0.
    pub fn group(workers: usize) -> Vec<Self> {
        assert!(workers > 0, "a run has at least one worker");
        let mut to: Vec<Vec<Sender<Vec<u8>>>> = (0..workers).map(|_| Vec::new()).collect();
        let mut from: Vec<Vec<Receiver<Vec<u8>>>> = (0..workers).map(|_| Vec::new()).collect();
        for to in &mut to {
            for from in &mut from {
                let (sender, receiver) = channel();
                to.push(sender);
                from.push(receiver);
            }
        }
        let pairs = to.into_iter().zip(from).enumerate();
        pairs.map(|(index, (to, from))| Self { index, to, from, timeout: DEFAULT_TIMEOUT }).collect()
    }

    /// The same exchange, with another time after which a worker that sends nothing counts as
    /// hanging.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Calls `f` on one thread for each of a number of workers, and returns the results in the
    /// order of the workers.
    ///
    /// # Errors
    /// The error of the first worker that failed for another reason than the loss of a worker;
    /// otherwise the first error.
    ///
    /// # Panics
    /// If `workers` is 0, or if `f` panics.
    pub fn run<R: Send>(
        workers: usize,
        f: impl Fn(Self) -> Result<R, RunError> + Sync,
    ) -> Result<Vec<R>, RunError> {
        let results: Vec<Result<R, RunError>> = std::thread::scope(|scope| {
            let f = &f;
            let threads: Vec<_> =
                Self::group(workers).into_iter().map(|exchange| scope.spawn(move || f(exchange))).collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined.map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        });
        first_error(results)
    }
}

/// The results, or the error that is most likely the cause of the others.
pub(crate) fn first_error<R>(results: Vec<Result<R, RunError>>) -> Result<Vec<R>, RunError> {
    let follows = |error: &RunError| matches!(error, RunError::Lost { .. } | RunError::Timeout { .. });
    let (mut done, mut cause) = (Vec::new(), None);
    for result in results {
        match result {
            Ok(result) => done.push(result),
            Err(error) if cause.as_ref().is_none_or(|cause| follows(cause) && !follows(&error)) => {
                cause = Some(error);
            }
            Err(_) => {}
        }
    }
    cause.map_or(Ok(done), Err)
}

impl Exchange for InProcess {
    fn index(&self) -> usize {
        self.index
    }

    fn workers(&self) -> usize {
        self.to.len()
    }

    fn exchange(&mut self, to_each: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, RunError> {
        assert_eq!(to_each.len(), self.to.len(), "one message for each worker");
        let lost = |worker| RunError::Lost {
            peer: format!("worker {worker}"),
            reason: "the worker has ended".to_owned(),
        };
        // send to all before receiving from any: channels hold messages, so no worker waits for
        // another to read
        for (worker, (to, message)) in self.to.iter().zip(to_each).enumerate() {
            to.send(message).map_err(|_| lost(worker))?;
        }
        // one time limit for all messages together; a worker that panicked has dropped its end
        let begin = Instant::now();
        let mut received = Vec::with_capacity(self.from.len());
        for (worker, from) in self.from.iter().enumerate() {
            let rest = self.timeout.saturating_sub(begin.elapsed());
            received.push(from.recv_timeout(rest).map_err(|error| match error {
                RecvTimeoutError::Disconnected => lost(worker),
                RecvTimeoutError::Timeout => {
                    // those that have not sent either are missing as well
                    let is_missing = |other: &usize| {
                        *other == worker || self.from[*other].try_recv() == Err(TryRecvError::Empty)
                    };
                    let missing = (worker..self.from.len()).filter(is_missing).collect();
                    RunError::Timeout { missing, waited: self.timeout }
                }
            })?);
        }
        Ok(received)
    }
}
