//! The errors of messages that do not fit, on both sides.

use std::fmt;

use ecs::save::DeltaError;

use crate::version::VersionDifference;

/// The error of a message that was received, or that could not be written. The receiver is
/// unchanged after it, unless a variant says otherwise.
#[derive(Debug)]
#[non_exhaustive]
pub enum MessageError {
    /// The bytes do not begin as a message of the other side, or are of another version.
    NotAMessage,
    /// The bytes cannot be read, or their content is impossible. If it was found after the
    /// changes were applied, the client asks for the whole state.
    Damaged,
    /// The message is longer than the limit.
    TooLong {
        /// The number of bytes.
        length: usize,
        /// The limit.
        limit: usize,
    },
    /// The client is not connected: to the server, or, at a client without a
    /// [token](crate::Client::token), to this one.
    NotConnected,
    /// The [token](crate::Client::token) of a client that joins was refused.
    Refused,
    /// The other side is of another version of the program, or of another program. The client has
    /// found this in its first message, and tells the server in all that it sends.
    OtherVersion(VersionDifference),
    /// The client sends more messages than the limit between two frames.
    TooManyMessages {
        /// The limit.
        limit: usize,
    },
    /// The client acknowledges a frame that it was not sent.
    NeverSent {
        /// The frame of the message.
        frame: u64,
    },
    /// The client has left out inputs.
    MissingInputs {
        /// The number of the input that was expected.
        expected: u64,
        /// The number of the first input in the message.
        first: u64,
    },
    /// The message has more new inputs than the limit.
    TooManyInputs {
        /// The number of new inputs.
        count: usize,
        /// The limit.
        limit: usize,
    },
    /// The changes do not fit the client's world: the client asks for the whole state.
    Delta(DeltaError),
    /// After the changes, the received entities differ from those of the server: the client asks
    /// for the whole state. The changes were applied.
    Differs {
        /// The frame of the message.
        frame: u64,
    },
    /// An input cannot be serialized.
    Input(String),
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAMessage => {
                f.write_str("these bytes are no message of this version of `ecs_replication`")
            }
            Self::Damaged => f.write_str("the message is damaged"),
            Self::TooLong { length, limit } => {
                write!(f, "the message has {length} bytes, and the limit is {limit}")
            }
            Self::NotConnected => f.write_str("the client is not connected"),
            Self::Refused => f.write_str("the server refuses the client's token"),
            Self::OtherVersion(difference) => write!(f, "client and server differ: {difference}"),
            Self::TooManyMessages { limit } => {
                write!(f, "the client sends more than {limit} messages in a frame")
            }
            Self::NeverSent { frame } => {
                write!(f, "the client acknowledges frame {frame}, which it was not sent")
            }
            Self::MissingInputs { expected, first } => {
                write!(f, "the client sends inputs from number {first} on; number {expected} was expected")
            }
            Self::TooManyInputs { count, limit } => {
                write!(f, "the message has {count} new inputs, and the limit is {limit}")
            }
            Self::Delta(error) => error.fmt(f),
            Self::Differs { frame } => {
                write!(f, "after frame {frame}, the received entities differ from those of the server")
            }
            Self::Input(reason) => write!(f, "an input cannot be serialized: {reason}"),
        }
    }
}

impl std::error::Error for MessageError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Delta(error) => Some(error),
            _ => None,
        }
    }
}
