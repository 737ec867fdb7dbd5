//! The messages between server and client, as bytes.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};

use crate::error::MessageError;
use crate::events::Events;
use crate::version::VersionDifference;

/// The first bytes of each kind of message: kind and version of the format. A state from the
/// server, and inputs from a client.
const FROM_SERVER: &[u8; 4] = b"ers3";
const FROM_CLIENT: &[u8; 4] = b"erc3";
/// The token of a client that joins.
const JOIN: &[u8; 4] = b"erj3";
/// The answer of a server to a client that is not connected.
const REFUSAL: &[u8; 4] = b"ern3";
/// The difference that a client of another version has found.
const VERSION: &[u8; 4] = b"erv3";

/// The most bytes of a client's message before its inputs: first bytes, checksum, six numbers, a
/// flag and a byte.
pub(crate) const CLIENT_HEAD: usize = 4 + 4 + 6 * 10 + 2;

/// The newest state of what a client sees, as changes since a frame that it has.
#[derive(Serialize, Deserialize)]
pub(crate) struct ServerMessage<'d> {
    /// The number of the connection: another one after a client was connected again.
    pub(crate) connection: u64,
    /// The first frame at which a client can use the changes; 0 for a client that has nothing.
    pub(crate) from: u64,
    /// The frame of the first state that the client was sent since it began. A client with an
    /// earlier state forgets it before it applies changes from 0.
    pub(crate) begun: u64,
    /// The frame of the state.
    pub(crate) frame: u64,
    /// The hash of what the client sees, by the server's ids; with a budget, of some of it.
    pub(crate) hash: u64,
    /// The entities of the hash: those in the server's slots from the first one on, up to before
    /// the second. `None` for all.
    pub(crate) hashed: Option<(u32, u32)>,
    /// The number of inputs of this connection that the server has received.
    pub(crate) inputs: u64,
    /// The types of the server, as long as the client has not acknowledged a frame; else empty.
    #[serde(serialize_with = "at_once")]
    pub(crate) version: &'d [u8],
    #[serde(borrow)]
    pub(crate) events: Events<'d>,
    /// A delta of `ecs`, of all frames from `from` on; with a budget, of some entities.
    #[serde(serialize_with = "at_once")]
    pub(crate) delta: &'d [u8],
}

/// The head of a message from a client: the last frame that it applied, and its inputs. Those that
/// the server may not have received follow one after the other.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct ClientHead {
    pub(crate) connection: u64,
    /// The last frame that was applied; 0 for none.
    pub(crate) frame: u64,
    /// A bit for each of the 64 frames before that one, the latest first, if it was not applied.
    /// 0 without a budget.
    pub(crate) missing: u64,
    /// Whether the client cannot apply what it gets, and needs the whole state.
    pub(crate) begin_anew: bool,
    /// The part of the datagrams that is lost on the way to the client, of 255.
    pub(crate) loss: u8,
    /// The number of reliable events that were received.
    pub(crate) events: u64,
    /// The number of the first input.
    pub(crate) first: u64,
    /// The number of inputs.
    pub(crate) count: u64,
}

/// Bytes with the first bytes and a checksum before them.
pub(crate) fn sealed(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    sealed_after(unsealed(kind, body.len()), body)
}

/// The first bytes of a message, with room for so many bytes after them.
pub(crate) fn unsealed(kind: &[u8; 4], length: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + length);
    bytes.extend_from_slice(kind);
    bytes.extend_from_slice(&[0; 4]);
    bytes
}

/// Adds the last bytes of a message, and then its checksum.
pub(crate) fn sealed_after(mut bytes: Vec<u8>, rest: &[u8]) -> Vec<u8> {
    bytes.extend_from_slice(rest);
    let (head, body) = bytes.split_at_mut(8);
    head[4..].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
    bytes
}

/// Writes bytes at once. By default, serde writes one after the other; the form is the same.
pub(crate) fn at_once<S: Serializer>(bytes: &&[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

/// Checks the first bytes and the checksum, and returns the rest.
pub(crate) fn opened<'b>(head: &[u8; 4], bytes: &'b [u8]) -> Result<&'b [u8], MessageError> {
    let rest = bytes.strip_prefix(head).ok_or(MessageError::NotAMessage)?;
    let (sum, body) = rest.split_first_chunk().ok_or(MessageError::Damaged)?;
    if crc32fast::hash(body) == u32::from_le_bytes(*sum) { Ok(body) } else { Err(MessageError::Damaged) }
}

pub(crate) fn written(body: Vec<u8>, part: &impl Serialize) -> Result<Vec<u8>, MessageError> {
    postcard::to_extend(part, body).map_err(|error| MessageError::Input(error.to_string()))
}

pub(crate) fn taken<'b, T: Deserialize<'b>>(rest: &mut &'b [u8]) -> Result<T, MessageError> {
    let (part, next) = postcard::take_from_bytes(rest).map_err(|_| MessageError::Damaged)?;
    *rest = next;
    Ok(part)
}

impl<'d> ServerMessage<'d> {
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, MessageError> {
        // the delta has nearly all bytes
        Ok(sealed_after(written(unsealed(FROM_SERVER, self.delta.len() + 128), self)?, &[]))
    }

    pub(crate) fn from_bytes(bytes: &'d [u8]) -> Result<Self, MessageError> {
        whole(opened(FROM_SERVER, bytes)?)
    }
}

/// The message of a client that joins.
pub(crate) fn join(token: &[u8]) -> Vec<u8> {
    sealed(JOIN, token)
}

/// The token of a client that joins; `None` if it is another message.
pub(crate) fn token(bytes: &[u8]) -> Result<Option<&[u8]>, MessageError> {
    if bytes.starts_with(JOIN) { opened(JOIN, bytes).map(Some) } else { Ok(None) }
}

/// The answer of a server to a client that is not connected.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Refusal {
    /// The session of the server.
    pub(crate) session: u32,
    /// Whether the token was refused: otherwise the client is asked for it.
    pub(crate) is_final: bool,
}

impl Refusal {
    pub(crate) fn to_bytes(self) -> Result<Vec<u8>, MessageError> {
        Ok(sealed(REFUSAL, &written(Vec::new(), &self)?))
    }

    /// `None` for another message.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Option<Self>, MessageError> {
        if bytes.starts_with(REFUSAL) { whole(opened(REFUSAL, bytes)?).map(Some) } else { Ok(None) }
    }
}

/// The message of a client that cannot read those of the server.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct OtherVersion {
    pub(crate) connection: u64,
    pub(crate) difference: VersionDifference,
}

impl OtherVersion {
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, MessageError> {
        Ok(sealed(VERSION, &written(Vec::new(), self)?))
    }

    /// `None` for another message.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Option<Self>, MessageError> {
        if bytes.starts_with(VERSION) { whole(opened(VERSION, bytes)?).map(Some) } else { Ok(None) }
    }
}

/// Reads all bytes.
pub(crate) fn whole<'b, T: Deserialize<'b>>(mut bytes: &'b [u8]) -> Result<T, MessageError> {
    let part = taken(&mut bytes)?;
    if bytes.is_empty() { Ok(part) } else { Err(MessageError::Damaged) }
}

impl ClientHead {
    /// The message with the first ones of these inputs, as many as `most` bytes have room for. Sets
    /// `count`.
    pub(crate) fn into_bytes<'i, I: Serialize + 'i>(
        mut self,
        inputs: impl Iterator<Item = &'i I>,
        most: usize,
    ) -> Result<Vec<u8>, MessageError> {
        let mut rest = Vec::new();
        self.count = 0;
        for input in inputs {
            let length = rest.len();
            rest = written(rest, input)?;
            if CLIENT_HEAD + rest.len() > most {
                rest.truncate(length);
                break;
            }
            self.count += 1;
        }
        Ok(sealed_after(written(unsealed(FROM_CLIENT, CLIENT_HEAD + rest.len()), &self)?, &rest))
    }

    /// Reads the head, and returns the bytes of the inputs.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<(Self, &[u8]), MessageError> {
        let mut rest = opened(FROM_CLIENT, bytes)?;
        Ok((taken(&mut rest)?, rest))
    }

    /// Reads the inputs, which are all inputs of the message.
    pub(crate) fn inputs<I: DeserializeOwned>(&self, mut rest: &[u8]) -> Result<Vec<I>, MessageError> {
        // not made with the room for `count`, which the client chooses
        let inputs: Vec<I> = (0..self.count).map(|_| taken(&mut rest)).collect::<Result<_, _>>()?;
        if rest.is_empty() { Ok(inputs) } else { Err(MessageError::Damaged) }
    }
}
