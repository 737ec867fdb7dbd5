//! The messages between server and client, as bytes.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::MessageError;

/// The first bytes of a message from the server, and of one from a client: kind and version of the format.
const FROM_SERVER: &[u8; 4] = b"ers1";
const FROM_CLIENT: &[u8; 4] = b"erc1";

/// A step from one frame to the next that was sent.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Step {
    /// The frame that the step leads to.
    pub(crate) frame: u64,
    /// The hash of the visible part after the step, by the server's ids.
    pub(crate) hash: u64,
    /// A delta of `ecs`.
    pub(crate) delta: Vec<u8>,
}

/// All steps that the client has not acknowledged.
#[derive(Serialize, Deserialize)]
pub(crate) struct ServerMessage<S> {
    /// The number of the connection: another one after a client was connected again, or began anew.
    pub(crate) connection: u64,
    /// Whether the first step starts from nothing.
    pub(crate) from_nothing: bool,
    /// The number of inputs of this connection that the server has received.
    pub(crate) inputs: u64,
    pub(crate) steps: S,
}

/// What the client has, and its inputs that the server may not have received.
#[derive(Serialize, Deserialize)]
pub(crate) struct ClientMessage<I> {
    pub(crate) connection: u64,
    /// The last frame that was applied; 0 for none.
    pub(crate) frame: u64,
    /// Whether the client cannot apply what it gets, and needs the whole state.
    pub(crate) begin_anew: bool,
    /// The number of the first input.
    pub(crate) first: u64,
    pub(crate) inputs: I,
}

fn encode(head: &[u8], message: &impl Serialize) -> Result<Vec<u8>, MessageError> {
    postcard::to_extend(message, head.to_vec()).map_err(|error| MessageError::Input(error.to_string()))
}

fn decode<T: DeserializeOwned>(head: &[u8], bytes: &[u8]) -> Result<T, MessageError> {
    let rest = bytes.strip_prefix(head).ok_or(MessageError::NotAMessage)?;
    let (message, rest) = postcard::take_from_bytes(rest).map_err(|_| MessageError::Damaged)?;
    if rest.is_empty() { Ok(message) } else { Err(MessageError::Damaged) }
}

impl ServerMessage<Vec<&Step>> {
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, MessageError> {
        encode(FROM_SERVER, self)
    }
}

impl ServerMessage<Vec<Step>> {
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, MessageError> {
        decode(FROM_SERVER, bytes)
    }
}

impl<I: Serialize> ClientMessage<Vec<I>> {
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, MessageError> {
        encode(FROM_CLIENT, self)
    }
}

impl<I: DeserializeOwned> ClientMessage<Vec<I>> {
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, MessageError> {
        decode(FROM_CLIENT, bytes)
    }
}
