//! JSON-RPC 2.0 with the methods of the Bevy Remote Protocol.

mod methods;
mod schema;

use ecs::reflect::{NameKind, ReflectError};
use serde_json::{Map, Value, json};

use crate::dispatch::{Door, DoorError, Response};
pub(crate) use methods::{
    WATCHES, aspects, aspects_of, is_built_in, json_of, parts, take_entity, take_flag, take_names,
};

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

/// The result of a method, and whether a limit has left out a part of it.
pub(crate) struct Outcome {
    result: Value,
    more: bool,
}

impl From<Value> for Outcome {
    fn from(result: Value) -> Self {
        Self { result, more: false }
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

    pub(crate) fn json(&self) -> Value {
        json!({ "code": self.code, "message": self.message })
    }
}

impl From<ReflectError> for RpcError {
    fn from(error: ReflectError) -> Self {
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
            DoorError::Work(message) => Self::limit(message),
        }
    }
}

/// Answers a request or a batch of requests.
pub(crate) fn answer(door: &mut Door<'_>, body: &str) -> Response {
    let failed = |error: &RpcError| Response::json(200, &reply(Value::Null, Err(error)));
    let request = match serde_json::from_str::<Value>(body) {
        Ok(request) => request,
        Err(error) => return failed(&RpcError::new(PARSE_ERROR, error.to_string())),
    };
    let Value::Array(batch) = request else {
        return one(door, request).map_or_else(nothing, |reply| Response::json(200, &reply));
    };
    if batch.is_empty() || batch.len() > door.limits.batch {
        let limit = door.limits.batch;
        return failed(&RpcError::new(INVALID_REQUEST, format!("a batch has 1 to {limit} requests")));
    }
    let mut replies = Vec::with_capacity(batch.len());
    let mut bytes = 0;
    for request in batch {
        let Some(mut reply) = one(door, request) else { continue };
        bytes += reply.to_string().len();
        if bytes > door.limits.response {
            let error = RpcError::new(INVALID_REQUEST, "the answers of this batch are too long");
            reply = self::reply(reply["id"].take(), Err(&error));
            replies.push(reply);
            break;
        }
        replies.push(reply);
    }
    if replies.is_empty() { nothing() } else { Response::json(200, &Value::Array(replies)) }
}

/// The answer to requests without an `id`.
fn nothing() -> Response {
    Response { status: 204, body: String::new() }
}

/// The answer to one request; `None` if it has no `id`.
fn one(door: &mut Door<'_>, request: Value) -> Option<Value> {
    let Value::Object(mut request) = request else {
        let error = RpcError::new(INVALID_REQUEST, "a request is an object");
        return Some(reply(Value::Null, Err(&error)));
    };
    let id = match request.remove("id") {
        None => None,
        Some(id @ (Value::Number(_) | Value::String(_) | Value::Null)) => Some(id),
        Some(_) => {
            let error = RpcError::new(INVALID_REQUEST, "`id` is a number or a text");
            return Some(reply(Value::Null, Err(&error)));
        }
    };
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
    id.map(|id| reply(id, outcome.as_ref()))
}

pub(crate) fn reply(id: Value, outcome: Result<&Outcome, &RpcError>) -> Value {
    match outcome {
        Ok(Outcome { result, more: false }) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Ok(Outcome { result, more: true }) => {
            json!({ "jsonrpc": "2.0", "id": id, "result": result, "more": true })
        }
        Err(error) => json!({ "jsonrpc": "2.0", "id": id, "error": error.json() }),
    }
}
