//! The messages between server and client, as bytes.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::MessageError;

/// The first bytes of a message from the server, and of one from a client: kind and version of the
/// format.
const FROM_SERVER: &[u8; 4] = b"ers2";
const FROM_CLIENT: &[u8; 4] = b"erc2";

/// The most bytes of a client's message before its inputs: first bytes, checksum, four numbers, a
/// flag and a byte.
pub(crate) const CLIENT_HEAD: usize = 4 + 4 + 4 * 10 + 2;

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
    /// The hash of what the client sees, by the server's ids.
    pub(crate) hash: u64,
    /// The number of inputs of this connection that the server has received.
    pub(crate) inputs: u64,
    /// A delta of `ecs`, of all frames from `from` on.
    pub(crate) delta: &'d [u8],
}

/// The head of a message from a client: the last frame that it applied, and its inputs. Those that
/// the server may not have received follow one after the other.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct ClientHead {
    pub(crate) connection: u64,
    /// The last frame that was applied; 0 for none.
    pub(crate) frame: u64,
    /// Whether the client cannot apply what it gets, and needs the whole state.
    pub(crate) begin_anew: bool,
    /// The part of the datagrams that is lost on the way to the client, of 255.
    pub(crate) loss: u8,
    /// The number of the first input.
    pub(crate) first: u64,
    /// The number of inputs.
    pub(crate) count: u64,
}

/// Adds the first bytes and the checksum.
pub(crate) fn sealed(head: &[u8; 4], body: &[u8]) -> Vec<u8> {
    [head, &crc32fast::hash(body).to_le_bytes(), body].concat()
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
        Ok(sealed(FROM_SERVER, &written(Vec::new(), self)?))
    }

    pub(crate) fn from_bytes(bytes: &'d [u8]) -> Result<Self, MessageError> {
        let mut rest = opened(FROM_SERVER, bytes)?;
        let message = taken(&mut rest)?;
        if rest.is_empty() { Ok(message) } else { Err(MessageError::Damaged) }
    }
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
        let mut body = written(Vec::new(), &self)?;
        body.append(&mut rest);
        Ok(sealed(FROM_CLIENT, &body))
    }

    /// Reads the head, and returns the bytes of the inputs.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<(Self, &[u8]), MessageError> {
        let mut rest = opened(FROM_CLIENT, bytes)?;
        Ok((taken(&mut rest)?, rest))
    }

    /// Reads the inputs.
    pub(crate) fn inputs<I: DeserializeOwned>(&self, mut rest: &[u8]) -> Result<Vec<I>, MessageError> {
        // not made with the room for `count`, which the client chooses
        let inputs: Vec<I> = (0..self.count).map(|_| taken(&mut rest)).collect::<Result<_, _>>()?;
        if rest.is_empty() { Ok(inputs) } else { Err(MessageError::Damaged) }
    }
}
