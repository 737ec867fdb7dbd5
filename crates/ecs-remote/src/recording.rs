//! [`Recording`]: the requests of a run, and their repetition.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

use ecs::reflect::ReflectWorld;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::dispatch::{Dispatcher, Method, Request, Response};
use crate::job::Step;

/// The bytes of requests and answers that a recording keeps.
const LONGEST: usize = 64 << 20;

/// The requests of a run, with the call of [`Remote::serve`](crate::Remote::serve) that answered
/// each: those that may have changed the world ([`Remote::record`](crate::Remote::record)), or all,
/// with their answers ([`Remote::record_all`](crate::Remote::record_all)).
///
/// Its text has a line of JSON for each request, so that a file of it can be read, compared and
/// edited, and is a test: see [`Remote::replay`](crate::Remote::replay). It can also be saved in
/// any format of serde.
///
/// ```text
/// {"call":3,"request":{"jsonrpc":"2.0","id":1,"method":"world.list_resources"},"answer":{"jsonrpc":"2.0","id":1,"result":["Clock"]}}
/// {"call":5,"request":"PUT /entity/pack/cub","may_write":true,"answer":{"id":4294967308}}
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Recording {
    requests: VecDeque<Recorded>,
    bytes: usize,
    is_full: bool,
    has_answers: bool,
}

/// A request of a recording.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Recorded {
    call: u64,
    request: Request,
    /// The status and the body; `None` if only changes are recorded, or the answer depends on more
    /// than the world.
    answer: Option<(u16, String)>,
}

/// A request whose answer was another one than in the recording: see
/// [`Remote::mismatches`](crate::Remote::mismatches).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Mismatch {
    /// The number of the call of [`Remote::serve`](crate::Remote::serve), from 0 on.
    pub call: u64,
    /// The request.
    pub request: Request,
    /// The body of the recorded answer.
    pub recorded: String,
    /// The body of the answer now.
    pub answered: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { call, request, recorded, answered } = self;
        let Request { target, body, .. } = request;
        write!(f, "call {call}: {target} {body}\n  was answered by {recorded}\n  and now by     {answered}")
    }
}

/// The requests that are still to be repeated, and the differences so far.
#[derive(Default)]
pub(crate) struct Replay {
    requests: VecDeque<Recorded>,
    pub(crate) mismatches: Vec<Mismatch>,
}

impl Recording {
    /// A recording of all requests and their answers.
    pub(crate) fn of_all() -> Self {
        Self { has_answers: true, ..Self::default() }
    }

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

    /// Adds a request before it is answered, or takes it back if it was not finished.
    pub(crate) fn log(&mut self, call: u64, request: &Request, step: Step<'_>) {
        // a request that cannot write need not be replayed
        let is_kept = self.has_answers || request.may_write && request.method != Method::Get;
        if !is_kept {
            return;
        }
        match step {
            Step::Begins => {
                let bytes = bytes(request);
                // once full, it stays so: a recording with a gap would replay another run
                self.is_full |= self.bytes + bytes > LONGEST;
                if !self.is_full {
                    self.bytes += bytes;
                    self.requests.push_back(Recorded { call, request: request.clone(), answer: None });
                }
            }
            // a later attempt of the request stands for this one, which has changed nothing
            Step::GoesOn if !self.is_full => {
                self.requests.pop_back();
                self.bytes -= bytes(request);
            }
            // the rows of a request that took several calls depend on the time of each
            Step::Answered(response, 1) if self.has_answers && !self.is_full && !is_of_server(request) => {
                self.bytes += response.body.len();
                if let Some(last) = self.requests.back_mut() {
                    last.answer = Some((response.status, response.body.clone()));
                }
            }
            Step::GoesOn | Step::Answered(..) => {}
        }
    }
}

fn bytes(request: &Request) -> usize {
    request.target.len() + request.body.len() + size_of::<Recorded>()
}

/// Whether the answer depends on the clock, or on the port of the server.
fn is_of_server(request: &Request) -> bool {
    let is_of_clock = ["/stats", "/entity/flecs/"].iter().any(|path| request.target.starts_with(path));
    is_of_clock || request.is_json_rpc() && request.body.contains("\"rpc.discover\"")
}

impl Replay {
    pub(crate) fn new(recording: Recording) -> Self {
        Self { requests: recording.requests, mismatches: Vec::new() }
    }

    /// Repeats the requests of a call, and compares the answers. Returns the number of requests.
    pub(crate) fn call(
        &mut self,
        call: u64,
        dispatcher: &mut Dispatcher,
        world: &mut dyn ReflectWorld,
    ) -> usize {
        let mut count = 0;
        while self.requests.front().is_some_and(|recorded| recorded.call <= call)
            && let Some(Recorded { request, answer, .. }) = self.requests.pop_front()
        {
            let Response { status, body } = dispatcher.answer(world, &request);
            count += 1;
            if let Some((before, recorded)) = answer
                && !(before == status && is_same(&recorded, &body))
            {
                self.mismatches.push(Mismatch { call, request, recorded, answered: body });
            }
        }
        count
    }
}

/// Whether two bodies are equal, whatever spaces a person has added.
fn is_same(recorded: &str, body: &str) -> bool {
    recorded == body || json(recorded).is_some_and(|recorded| Some(recorded) == json(body))
}

fn json(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// The JSON of a text if it is an object or a list, which is written as such.
fn embedded(text: &str) -> Option<Value> {
    json(text).filter(|value| value.is_object() || value.is_array())
}

impl fmt::Display for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Recorded { call, request, answer } in &self.requests {
            let mut line = Map::new();
            line.insert("call".into(), (*call).into());
            match embedded(&request.body).filter(|_| request.is_json_rpc()) {
                Some(body) => drop(line.insert("request".into(), body)),
                None => {
                    line.insert("request".into(), format!("{} {}", request.method, request.target).into());
                    if !request.body.is_empty() {
                        line.insert("body".into(), request.body.clone().into());
                    }
                }
            }
            if request.may_write {
                line.insert("may_write".into(), true.into());
            }
            if let Some((status, body)) = answer {
                if *status != 200 {
                    line.insert("status".into(), (*status).into());
                }
                line.insert("answer".into(), embedded(body).unwrap_or_else(|| body.clone().into()));
            }
            writeln!(f, "{}", Value::Object(line))?;
        }
        Ok(())
    }
}

/// The error of a text that is no [`Recording`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RecordingError {
    /// The number of the line, from 1 on.
    pub line: usize,
    reason: String,
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the recording: {}", self.line, self.reason)
    }
}

impl std::error::Error for RecordingError {}

impl FromStr for Recording {
    type Err = RecordingError;

    /// Reads the text of a recording. Empty lines, and lines that begin with `#`, are left out.
    fn from_str(text: &str) -> Result<Self, RecordingError> {
        let mut recording = Self::default();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let recorded = recorded(line).map_err(|reason| RecordingError { line: at + 1, reason })?;
            if recording.requests.back().is_some_and(|last| last.call > recorded.call) {
                let reason = "the call is earlier than that of the line before".into();
                return Err(RecordingError { line: at + 1, reason });
            }
            recording.has_answers |= recorded.answer.is_some();
            recording.bytes += bytes(&recorded.request);
            recording.requests.push_back(recorded);
        }
        Ok(recording)
    }
}

/// The request of a line.
fn recorded(line: &str) -> Result<Recorded, String> {
    let mut line: Map<String, Value> = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let call = line.remove("call").and_then(|call| call.as_u64()).ok_or("`call` is the number of a call")?;
    let text = |value: Value| if let Value::String(text) = value { text } else { value.to_string() };
    let body = line.remove("body").map(text);
    let mut request = match line.remove("request") {
        Some(Value::String(head)) => {
            let (method, target) =
                head.split_once(' ').ok_or("`request` is as in \"GET /query?expr=Health\"")?;
            Request::new(method.parse()?, target, body.unwrap_or_default())
        }
        Some(call @ (Value::Object(_) | Value::Array(_))) => {
            Request::new(Method::Post, "/", call.to_string())
        }
        _ => return Err("`request` is one of JSON-RPC, or a text such as \"GET /query?expr=Health\"".into()),
    };
    request.may_write = line.remove("may_write").is_some_and(|may| may == true);
    let status =
        line.remove("status").map_or(Some(200), |status| status.as_u64().map(|status| status as u16));
    let answer = line.remove("answer").map(text);
    if let Some(other) = line.keys().next() {
        return Err(format!(
            "`{other}` is not one of `call`, `request`, `body`, `may_write`, `status`, `answer`"
        ));
    }
    Ok(Recorded { call, request, answer: answer.zip(status).map(|(body, status)| (status, body)) })
}
