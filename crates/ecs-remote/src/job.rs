//! [`Job`]: a request that is being answered, in as many calls of
//! [`Remote::serve`](crate::Remote::serve) as it takes.
//!
//! The requests of a batch are answered one after the other. A request whose time in a call is over
//! is answered again from its beginning in the next call: it has changed nothing, and its
//! [`Progress`] keeps the rows of its queries, so that they go on where they were.

use std::collections::VecDeque;
use std::time::Instant;

use ecs::Entity;
use ecs::reflect::{DynamicQuery, PreparedQuery, QueryRun, ReflectWorld};
use serde_json::Value;

use crate::dispatch::{Dispatcher, Request, Response};
use crate::json_rpc::{self, RpcError};
use crate::options::Limits;

/// A request, and what is left of it.
pub(crate) struct Job {
    /// The requests that are not answered yet.
    parts: VecDeque<Request>,
    stage: Stage,
    progress: Progress,
}

/// A step of a request, for a recording.
#[derive(Clone, Copy)]
pub(crate) enum Step<'r> {
    /// Before an attempt to answer it.
    Begins,
    /// It goes on in the next call.
    GoesOn,
    /// It was answered, by this number of attempts.
    Answered(&'r Response, usize),
}

enum Stage {
    /// Nothing was answered.
    New,
    /// The answers of a batch, as the beginning of a list.
    Batch(String),
    One,
}

/// The part of a request that is done.
#[derive(Default)]
pub(crate) struct Progress {
    /// The queries of the request, in their order.
    scans: Vec<Option<Scan>>,
    /// The number of the next query in this attempt.
    next: usize,
    /// The steps of all attempts: see [`Limits::work`].
    pub(crate) spent: usize,
    deadline: Option<Instant>,
    is_unfinished: bool,
    attempts: usize,
}

/// A query that a request runs.
pub(crate) struct Scan {
    query: DynamicQuery,
    pub(crate) prepared: PreparedQuery,
    pub(crate) run: QueryRun,
    /// The entities whose rows are not written yet.
    pub(crate) waiting: VecDeque<Entity>,
    pub(crate) entities: Vec<Entity>,
    pub(crate) rows: String,
}

impl Scan {
    pub(crate) fn new(query: DynamicQuery, run: QueryRun, prepared: PreparedQuery) -> Self {
        Self { query, prepared, run, waiting: VecDeque::new(), entities: Vec::new(), rows: String::new() }
    }
}

impl Progress {
    /// The progress of something that goes on in the next call after the deadline.
    pub(crate) fn until(deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..Self::default() }
    }

    /// Begins an attempt.
    pub(crate) fn begin(&mut self) {
        (self.next, self.is_unfinished) = (0, false);
        self.attempts += 1;
    }

    /// Whether the last attempt has run out of time.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.is_unfinished
    }

    /// Whether the time of this attempt is over. Then its result does not count.
    pub(crate) fn is_late(&mut self) -> bool {
        self.is_unfinished |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.is_unfinished
    }

    /// The number of the next query of an attempt, and the scan that an earlier attempt has begun.
    /// A query that differs from that of the earlier attempt, since the world has changed, begins
    /// anew.
    pub(crate) fn take(&mut self, query: &DynamicQuery) -> (usize, Option<Scan>) {
        let at = self.next;
        self.next += 1;
        if self.scans.len() <= at {
            self.scans.resize_with(at + 1, || None);
        }
        (at, self.scans[at].take().filter(|scan| scan.query == *query))
    }

    pub(crate) fn put(&mut self, at: usize, scan: Scan) {
        self.scans[at] = Some(scan);
    }
}

impl Job {
    pub(crate) fn new(request: Request) -> Self {
        Self { parts: [request].into(), stage: Stage::New, progress: Progress::default() }
    }

    /// The request, while nothing of it is answered.
    pub(crate) fn fresh(&self) -> Option<&Request> {
        self.parts.front().filter(|_| matches!(self.stage, Stage::New))
    }

    /// Answers the request until the deadline, at least a small part of it; `None` if it goes on in
    /// another call. `log` is called before and after each attempt.
    pub(crate) fn work(
        &mut self,
        dispatcher: &mut Dispatcher,
        world: &mut dyn ReflectWorld,
        deadline: Option<Instant>,
        log: &mut dyn FnMut(&Request, Step<'_>),
    ) -> Option<Response> {
        let limits = dispatcher.options.limits;
        self.progress.deadline = deadline;
        if let Stage::New = self.stage
            && let Err(refused) = self.divide(&limits)
        {
            return Some(refused);
        }
        while let Some(part) = self.parts.front() {
            log(part, Step::Begins);
            let Some(response) = dispatcher.answer_one(world, part, &mut self.progress) else {
                log(part, Step::GoesOn);
                return None;
            };
            log(part, Step::Answered(&response, std::mem::take(&mut self.progress.attempts)));
            let Stage::Batch(replies) = &mut self.stage else { return Some(response) };
            self.progress.scans.clear();
            let (mut reply, mut is_last) = (response.body, false);
            if replies.len() + reply.len() > limits.response {
                let error = RpcError::limit("the answers of this batch are too long");
                let id = serde_json::from_str::<Value>(&part.body).map(|mut part| part["id"].take());
                (reply, is_last) = (json_rpc::reply(&id.unwrap_or_default(), Err(&error)), true);
            }
            // a request without an id has no reply
            if !reply.is_empty() {
                replies.push(if replies.is_empty() { '[' } else { ',' });
                replies.push_str(&reply);
            }
            self.parts.pop_front();
            if is_last {
                self.parts.clear();
            }
            if !self.parts.is_empty() && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return None;
            }
        }
        let Stage::Batch(replies) = &mut self.stage else { return None };
        if replies.is_empty() {
            return Some(Response { status: 204, body: String::new() });
        }
        replies.push(']');
        Some(Response { status: 200, body: std::mem::take(replies) })
    }

    /// Divides a batch into its requests.
    fn divide(&mut self, limits: &Limits) -> Result<(), Response> {
        let Some(request) = self.parts.front() else { return Ok(()) };
        // before anything is parsed
        if request.body.len() > limits.body {
            return Err(Response::error(413, "the body is too large"));
        }
        // only JSON-RPC has batches
        if !request.is_json_rpc() || !request.body.trim_start().starts_with('[') {
            self.stage = Stage::One;
            return Ok(());
        }
        let refused =
            |error: &RpcError| Response { status: 200, body: json_rpc::reply(&Value::Null, Err(error)) };
        let batch: Vec<Value> =
            serde_json::from_str(&request.body).map_err(|error| refused(&RpcError::parse(&error)))?;
        if batch.is_empty() || batch.len() > limits.batch {
            return Err(refused(&RpcError::batch(limits.batch)));
        }
        // each part is a request of its own, so that a batch can go on in the next call
        let one = |part: Value| Request { body: part.to_string(), ..request.clone() };
        self.parts = batch.into_iter().map(one).collect();
        self.stage = Stage::Batch(String::new());
        Ok(())
    }
}
