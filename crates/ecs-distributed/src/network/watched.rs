//! [`Watched`]: a connection that reports its loss to the workers, and hides it from the threads of `timely`, which would panic.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;

use timely::communication::allocator::zero_copy::stream::Stream;

use super::Failure;

/// The length of a head of `timely`: six numbers of 64 bits, big-endian.
const HEAD: usize = 48;
/// The place of the length of the message in a head.
const LENGTH: std::ops::Range<usize> = 32..40;

/// The position in a stream of messages.
#[derive(Default)]
struct Position {
    head: Vec<u8>,
    /// The bytes of the present message that have not come.
    rest: u64,
    /// Whether the head that ends the stream has come: that of an empty message.
    ended: bool,
}

impl Position {
    fn pass(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let skip = self.rest.min(bytes.len() as u64);
            self.rest -= skip;
            bytes = &bytes[skip as usize..];
            let (head, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
            self.head.extend_from_slice(head);
            bytes = rest;
            if self.head.len() == HEAD {
                let length: [u8; 8] = self.head[LENGTH].try_into().expect("eight bytes");
                self.rest = u64::from_be_bytes(length);
                self.ended = self.rest == 0;
                self.head.clear();
            }
        }
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
    pub(super) fn new(stream: TcpStream, peer: String, failure: Arc<Failure>) -> io::Result<Self> {
        stream.set_read_timeout(None)?;
        stream.set_write_timeout(None)?;
        stream.set_nodelay(true)?;
        failure.watch(stream.try_clone()?);
        Ok(Self { stream, peer, failure, position: Position::default() })
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let reason = match self.stream.read(buffer) {
            Ok(0) if self.position.ended => return Ok(0),
            Ok(0) => "the other process has ended".to_owned(),
            Ok(length) => {
                self.position.pass(&buffer[..length]);
                return Ok(length);
            }
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
        Ok(Self { stream, peer: self.peer.clone(), failure, position: Position::default() })
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
        let head = |length: u64| {
            let mut head = vec![7; HEAD];
            head[LENGTH].copy_from_slice(&length.to_be_bytes());
            head
        };
        let mut bytes = head(100);
        bytes.extend([0; 100]);
        bytes.extend(head(3));
        bytes.extend([0; 3]);
        bytes.extend(head(0));
        for pieces in [1, 3, 47, 48, 49, 1000] {
            let mut position = Position::default();
            let mut passed = 0;
            for piece in bytes.chunks(pieces) {
                assert!(!position.ended);
                position.pass(piece);
                passed += piece.len();
                assert_eq!(position.ended, passed == bytes.len());
            }
        }
    }
}
