//! [`Watched`]: a connection that reports its loss to the workers, and hides it from the threads of `timely`, which would panic.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::ops::Range;
use std::sync::Arc;

use timely::communication::allocator::zero_copy::stream::Stream;

use super::Failure;

/// The length of a head of `timely`: six numbers of 64 bits, big-endian.
const HEAD: usize = 48;
/// The place of the first receiving worker in a head.
const FIRST: usize = 16;
/// The place of the worker after the last receiving one.
const END: usize = 24;
/// The place of the length of the message in a head.
const LENGTH: usize = 32;
/// The longest message.
const LONGEST: u64 = 1 << 48;

/// The position in a stream of messages.
struct Position {
    /// The workers that may receive: those of this process.
    workers: Range<usize>,
    head: Vec<u8>,
    /// The bytes of the present message that have not come.
    rest: u64,
    /// Whether the head that ends the stream has come: that of an empty message.
    ended: bool,
}

impl Position {
    fn new(workers: Range<usize>) -> Self {
        Self { workers, head: Vec::new(), rest: 0, ended: false }
    }

    /// Goes on behind some bytes. `None` if they are no messages to the workers: `timely` would panic, or wait for gigabytes.
    fn pass(&mut self, mut bytes: &[u8]) -> Option<()> {
        while !bytes.is_empty() {
            if self.ended {
                return None;
            }
            let skip = self.rest.min(bytes.len() as u64);
            self.rest -= skip;
            bytes = &bytes[skip as usize..];
            let (head, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
            self.head.extend_from_slice(head);
            bytes = rest;
            if self.head.len() == HEAD {
                let number =
                    |at: usize| self.head[at..].first_chunk().map(|bytes| u64::from_be_bytes(*bytes));
                let [first, end, length] = [number(FIRST)?, number(END)?, number(LENGTH)?];
                let workers = self.workers.start as u64..=self.workers.end as u64;
                let is_known = first <= end && workers.contains(&first) && workers.contains(&end);
                if length > LONGEST || length > 0 && !is_known {
                    return None;
                }
                self.rest = length;
                self.ended = length == 0;
                self.head.clear();
            }
        }
        Some(())
    }
}

/// A connection to another process.
pub(super) struct Watched {
    stream: TcpStream,
    peer: String,
    failure: Arc<Failure>,
    position: Position,
}

impl Watched {
    /// Watches a connection of the process that has these workers.
    pub(super) fn new(
        stream: TcpStream,
        peer: String,
        workers: Range<usize>,
        failure: Arc<Failure>,
    ) -> io::Result<Self> {
        stream.set_read_timeout(None)?;
        stream.set_write_timeout(None)?;
        stream.set_nodelay(true)?;
        failure.watch(stream.try_clone()?);
        Ok(Self { stream, peer, failure, position: Position::new(workers) })
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let reason = match self.stream.read(buffer) {
            Ok(0) if self.position.ended => return Ok(0),
            Ok(0) => "the other process has ended".to_owned(),
            Ok(length) => match self.position.pass(&buffer[..length]) {
                Some(()) => return Ok(length),
                None => "it has sent bytes that are no messages".to_owned(),
            },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(error) => error.to_string(),
        };
        self.failure.set(self.peer.clone(), reason);
        // to return would make this thread panic, and then the workers
        loop {
            std::thread::park();
        }
    }
}

impl Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Ok(length) if length > 0 || bytes.is_empty() => Ok(length),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Ok(_) => {
                self.failure.set(self.peer.clone(), "the connection takes no more data");
                Ok(bytes.len())
            }
            Err(error) => {
                self.failure.set(self.peer.clone(), error);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Watched {
    fn try_clone(&self) -> io::Result<Self> {
        let (stream, failure) = (self.stream.try_clone()?, Arc::clone(&self.failure));
        let position = Position::new(self.position.workers.clone());
        Ok(Self { stream, peer: self.peer.clone(), failure, position })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // the other process may be gone already
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_stream_is_told_from_its_loss() {
        let mut bytes = head(2, 3, 100);
        bytes.extend([0; 100]);
        bytes.extend(head(2, 4, 3));
        bytes.extend([0; 3]);
        bytes.extend(head(0, 0, 0));
        for pieces in [1, 3, 47, 48, 49, 1000] {
            let mut position = Position::new(2..4);
            let mut passed = 0;
            for piece in bytes.chunks(pieces) {
                assert!(!position.ended);
                assert!(position.pass(piece).is_some());
                passed += piece.len();
                assert_eq!(position.ended, passed == bytes.len());
            }
            assert!(position.pass(&[1]).is_none(), "bytes after the end");
        }
    }

    /// A head of a message to the workers `first..end`.
    fn head(first: u64, end: u64, length: u64) -> Vec<u8> {
        let numbers = [7, 7, first, end, length, 7];
        numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
    }

    #[test]
    fn heads_that_timely_cannot_take_are_refused() {
        for (first, end, length) in [
            (1, 3, 8),
            (2, 5, 8),
            (3, 2, 8),
            (u64::MAX, u64::MAX, 8),
            (2, 3, u64::MAX),
            (2, 3, u64::MAX - 40),
        ] {
            assert!(Position::new(2..4).pass(&head(first, end, length)).is_none(), "{first} {end} {length}");
        }
    }
}
