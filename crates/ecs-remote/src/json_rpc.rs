//! JSON-RPC 2.0 with the methods of the Bevy Remote Protocol.

mod methods;
mod schema;

use ecs::reflect::{NameKind, ReflectError};
use hyper::body::Bytes;
use serde_json::{Map, Value, json};

use crate::dispatch::{Door, DoorError, Method, Request, Response};
pub(crate) use methods::{
    AskedQuery, aspects, aspects_of, borrowed, is_built_in, json_of, parts, take_entity, take_flag,
    take_names, take_text, watch_of,
};
pub(crate) use schema::Registry;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const READ_ONLY: i32 = -32000;
pub(crate) const ENTITY_NOT_FOUND: i32 = -23401;
const LIMIT_EXCEEDED: i32 = -32001;
const EXTENSION_ERROR: i32 = -32002;
const COMPONENT_ERROR: i32 = -23402;
pub(crate) const COMPONENT_NOT_PRESENT: i32 = -23403;
const SELF_REPARENT: i32 = -23404;
const RESOURCE_ERROR: i32 = -23501;

/// The error of a request, with the codes of JSON-RPC and of the Bevy Remote Protocol.
#[derive(Debug)]
pub(crate) struct RpcError {
    pub(crate) code: i32,
    message: String,
}

/// The JSON of a method's result, and whether a limit has left out a part of it.
pub(crate) struct Outcome {
    result: String,
    more: bool,
}

impl From<Value> for Outcome {
    fn from(result: Value) -> Self {
        Self { result: result.to_string(), more: false }
    }
}

impl RpcError {
    pub(crate) fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    pub(crate) fn params(message: impl Into<String>) -> Self {
        Self::new(INVALID_PARAMS, message)
    }

    /// The error of a limit of the server.
    pub(crate) fn limit(message: impl Into<String>) -> Self {
        Self::new(LIMIT_EXCEEDED, message)
    }

    /// The error of a text that is no JSON.
    pub(crate) fn parse(error: &serde_json::Error) -> Self {
        Self::new(PARSE_ERROR, error.to_string())
    }

    /// The error of a batch that is empty or too long.
    pub(crate) fn batch(limit: usize) -> Self {
        Self::new(INVALID_REQUEST, format!("a batch has 1 to {limit} requests"))
    }

    pub(crate) fn json(&self) -> Value {
        json!({ "code": self.code, "message": self.message })
    }
}

impl From<ReflectError> for RpcError {
    fn from(error: ReflectError) -> Self {
        // the codes of `bevy_remote`, where it has one for the error
        let code = match &error {
            ReflectError::NoSuchEntity(_) => ENTITY_NOT_FOUND,
            ReflectError::Missing { .. } => COMPONENT_NOT_PRESENT,
            ReflectError::UnknownName { kind: NameKind::Components, .. } => COMPONENT_ERROR,
            ReflectError::UnknownName { kind: NameKind::Resources, .. } => RESOURCE_ERROR,
            ReflectError::UnknownName { .. } | ReflectError::InvalidQuery { .. } => INVALID_PARAMS,
            ReflectError::ReadOnly => READ_ONLY,
            _ => COMPONENT_ERROR,
        };
        let message = match error {
            ReflectError::ReadOnly => {
                "this request may not change the world: see `Options::writes`".to_owned()
            }
            error => error.to_string(),
        };
        Self { code, message }
    }
}

impl From<DoorError> for RpcError {
    fn from(error: DoorError) -> Self {
        match error {
            DoorError::World(error) => error.into(),
            DoorError::Limit(message) => Self::limit(message),
            // nobody reads it: the request is answered again
            DoorError::Unfinished => Self::limit("the time of this call is over"),
        }
    }
}

/// Answers a request. The answer to one without an `id` is empty.
pub(crate) fn answer(door: &mut Door<'_>, body: &str) -> Response {
    let (id, outcome) = match serde_json::from_str::<Value>(body) {
        Ok(Value::Object(request)) => one(door, request),
        Ok(_) => (Some(Value::Null), Err(RpcError::new(INVALID_REQUEST, "a request is an object"))),
        Err(error) => (Some(Value::Null), Err(RpcError::parse(&error))),
    };
    let Some(id) = id else { return Response { status: 204, body: String::new() } };
    let (mut body, limit) = (reply(&id, outcome.as_ref()), door.limits.response);
    if body.len() > limit {
        let why = format!("the answer is longer than {limit} bytes: ask for less");
        body = reply(&id, Err(&RpcError::limit(why)));
    }
    Response { status: 200, body }
}

/// The `id` and the result of one request.
fn one(door: &mut Door<'_>, mut request: Map<String, Value>) -> (Option<Value>, Result<Outcome, RpcError>) {
    // without an id it is a notification, which gets no answer
    let id = match request.remove("id") {
        None => None,
        Some(id @ (Value::Number(_) | Value::String(_) | Value::Null)) => Some(id),
        Some(_) => {
            let error = RpcError::new(INVALID_REQUEST, "`id` is a number or a text");
            return (Some(Value::Null), Err(error));
        }
    };
    // then the form, and then the method with its parameters
    let outcome = match (request.get("jsonrpc").and_then(Value::as_str), request.get("method")) {
        (Some("2.0"), Some(Value::String(method))) => {
            let method = method.clone();
            match request.remove("params") {
                None | Some(Value::Null) => methods::call(door, &method, Map::new()),
                Some(Value::Object(params)) => methods::call(door, &method, params),
                Some(_) => Err(RpcError::params("`params` is an object")),
            }
        }
        (Some("2.0"), _) => Err(RpcError::new(INVALID_REQUEST, "`method` is a text")),
        _ => Err(RpcError::new(INVALID_REQUEST, "`jsonrpc` is \"2.0\"")),
    };
    (id, outcome)
}

/// A request that only reads, without its id, and the id; `None` if it may do something else. The
/// answers to equal requests differ in their ids only.
pub(crate) fn without_id(request: &Request) -> Option<(Request, Option<Value>)> {
    let reads =
        |body| Request { method: request.method, target: request.target.clone(), body, may_write: false };
    if request.method == Method::Get {
        return Some((reads(String::new()), None));
    }
    if !request.is_json_rpc() {
        return None;
    }
    let Ok(Value::Object(mut call)) = serde_json::from_str(&request.body) else { return None };
    if !call.get("method").and_then(Value::as_str).is_some_and(methods::only_reads) {
        return None;
    }
    match call.insert("id".into(), Value::Null)? {
        id @ (Value::Number(_) | Value::String(_) | Value::Null) => {
            Some((reads(Value::Object(call).to_string()), Some(id)))
        }
        _ => None,
    }
}

/// The answer to a request that [`without_id`] has changed, with the id of a client, in two parts.
pub(crate) fn with_id(body: &Bytes, id: &Value) -> (Bytes, Bytes) {
    const HEAD: &str = r#"{"jsonrpc":"2.0","id":"#;
    let rest = body.strip_prefix(HEAD.as_bytes()).and_then(|rest| rest.strip_prefix(b"null"));
    match rest {
        Some(rest) => (format!("{HEAD}{id}").into(), body.slice_ref(rest)),
        // an error of the server
        None => (Bytes::new(), body.clone()),
    }
}

/// The text of an answer.
pub(crate) fn reply(id: &Value, outcome: Result<&Outcome, &RpcError>) -> String {
    match outcome {
        Ok(Outcome { result, more }) => {
            let more = if *more { r#","more":true"# } else { "" };
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}{more}}}"#)
        }
        Err(error) => format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{}}}"#, error.json()),
    }
}
