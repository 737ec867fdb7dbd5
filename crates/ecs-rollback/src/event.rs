//! [`SessionEvent`]: the messages of a session about the other programs.

use std::fmt::{self, Debug};
use std::time::Duration;

use ggrs::{Config, GgrsEvent};

/// A message of a session about another program, whose address has the type `A`. `Display` writes
/// it as a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SessionEvent<A> {
    /// The connection to a program is being established.
    Synchronizing {
        /// The address of the program.
        peer: A,
        /// The number of round trips so far.
        done: u32,
        /// The number of round trips that are needed.
        total: u32,
    },
    /// The connection to a program is established.
    Synchronized {
        /// The address of the program.
        peer: A,
    },
    /// No message of a program has arrived for some time.
    Interrupted {
        /// The address of the program.
        peer: A,
        /// The time after which the program counts as disconnected.
        disconnect_in: Duration,
    },
    /// Messages of a program arrive again.
    Resumed {
        /// The address of the program.
        peer: A,
    },
    /// A program has disconnected. Its players have the default input from now on.
    Disconnected {
        /// The address of the program.
        peer: A,
    },
    /// This program is ahead of the others: it should wait for some frames.
    Ahead {
        /// The number of frames to wait.
        frames: u32,
    },
    /// The worlds of two programs differ at a confirmed frame, and will not be equal again.
    Desync {
        /// The frame.
        frame: u32,
        /// The hash of this program's world.
        ours: u64,
        /// The hash of the other program's world.
        theirs: u64,
        /// The address of the other program.
        peer: A,
    },
}

impl<A> SessionEvent<A> {
    pub(crate) fn of<T: Config<Address = A>>(event: GgrsEvent<T>) -> Self {
        match event {
            GgrsEvent::Synchronizing { addr, total, count } => {
                Self::Synchronizing { peer: addr, done: count, total }
            }
            GgrsEvent::Synchronized { addr } => Self::Synchronized { peer: addr },
            GgrsEvent::Disconnected { addr } => Self::Disconnected { peer: addr },
            GgrsEvent::NetworkInterrupted { addr, disconnect_timeout } => Self::Interrupted {
                peer: addr,
                disconnect_in: Duration::from_millis(disconnect_timeout.try_into().unwrap_or(u64::MAX)),
            },
            GgrsEvent::NetworkResumed { addr } => Self::Resumed { peer: addr },
            GgrsEvent::WaitRecommendation { skip_frames } => Self::Ahead { frames: skip_frames },
            GgrsEvent::DesyncDetected { frame, local_checksum, remote_checksum, addr } => Self::Desync {
                frame: frame as u32,
                ours: local_checksum as u64,
                theirs: remote_checksum as u64,
                peer: addr,
            },
        }
    }
}

impl<A: Debug> fmt::Display for SessionEvent<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Synchronizing { peer, done, total } => {
                write!(f, "connecting to {peer:?}: {done} of {total}")
            }
            Self::Synchronized { peer } => write!(f, "connected to {peer:?}"),
            Self::Interrupted { peer, disconnect_in } => {
                write!(f, "no message of {peer:?}; it counts as disconnected in {disconnect_in:?}")
            }
            Self::Resumed { peer } => write!(f, "messages of {peer:?} arrive again"),
            Self::Disconnected { peer } => write!(f, "{peer:?} has disconnected"),
            Self::Ahead { frames } => write!(f, "this program is {frames} frames ahead of the others"),
            Self::Desync { frame, ours, theirs, peer } => write!(
                f,
                "the worlds differ at frame {frame}: the hash is {ours:016x} here, and {theirs:016x} at {peer:?}"
            ),
        }
    }
}
