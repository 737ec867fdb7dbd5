//! [`Watched`]: a connection that reports its loss to the workers, and hides it from the threads of
//! `timely`, which would panic.
//!
//! Data is sent in frames, each with its length and a hash, so that damaged data is an error that
//! names the process which has sent it. `timely` would panic, or give the workers other values.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::ops::Range;
use std::sync::Arc;

use timely::communication::allocator::zero_copy::stream::Stream;

use super::Failure;
use crate::global_id::mix;

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

/// The longest content of a frame.
const LONGEST_FRAME: usize = 1 << 18;
/// The length of the head of a frame: the length of the content in four bytes, and the hash in
/// eight, little-endian.
const FRAME_HEAD: usize = 12;

/// The hash of the content of the frame with this number. Each step is a bijection, so that a
/// damaged word is always found.
fn hash_of_frame(number: u64, content: &[u8]) -> u64 {
    let fold = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = content.as_chunks();
    let hash = words.iter().fold(mix(number), |hash, word| fold(hash, u64::from_le_bytes(*word)));
    let hash = rest.iter().fold(hash, |hash, &byte| fold(hash, byte.into()));
    mix(hash ^ content.len() as u64)
}

/// A frame that is sent or received.
#[derive(Default)]
struct Frame {
    /// The number of frames before.
    number: u64,
    /// The content; in one that is sent, behind its head.
    bytes: Vec<u8>,
    /// The number of bytes of a received content that were given out.
    given: usize,
}

impl Frame {
    /// The bytes of the next frame.
    fn pack(&mut self, content: &[u8]) -> &[u8] {
        self.bytes.clear();
        self.bytes.extend((content.len() as u32).to_le_bytes());
        self.bytes.extend(hash_of_frame(self.number, content).to_le_bytes());
        self.bytes.extend(content);
        self.number += 1;
        &self.bytes
    }

    /// Reads the next frame. Returns whether there is one: the stream may end.
    fn receive(&mut self, stream: &mut impl Read) -> io::Result<bool> {
        let no_frame =
            || io::Error::new(io::ErrorKind::InvalidData, "it has sent bytes that are no messages");
        let mut head = [0; FRAME_HEAD];
        // the end of the stream is no error before the first byte of a frame, and one after it
        loop {
            match stream.read(&mut head[..1]) {
                Ok(0) => return Ok(false),
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        stream.read_exact(&mut head[1..])?;
        let (length, hash) = head.split_first_chunk().ok_or_else(no_frame)?;
        let (length, hash) = (u32::from_le_bytes(*length) as usize, hash.first_chunk().ok_or_else(no_frame)?);
        // a damaged length must not make the buffer huge
        if length == 0 || length > LONGEST_FRAME {
            return Err(no_frame());
        }
        self.given = 0;
        self.bytes.resize(length, 0);
        stream.read_exact(&mut self.bytes)?;
        // the number is part of the hash, so a frame that is lost or sent twice is noticed, too
        if hash_of_frame(self.number, &self.bytes) != u64::from_le_bytes(*hash) {
            let text = format!("its data was damaged on the way, in frame {}", self.number);
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        self.number += 1;
        Ok(true)
    }
}

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

    /// Moves the position behind bytes that have come. `None` if they are no messages to the
    /// workers: `timely` would panic, or wait for gigabytes.
    fn pass(&mut self, mut bytes: &[u8]) -> Option<()> {
        while !bytes.is_empty() {
            if self.ended {
                return None;
            }
            // the content of a message, then the bytes of the next head, of which a part may come
            // later
            let skip = self.rest.min(bytes.len() as u64);
            self.rest -= skip;
            bytes = &bytes[skip as usize..];
            let (head, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
            self.head.extend_from_slice(head);
            bytes = rest;
            // a whole head: check all that `timely` will trust
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
    frame: Frame,
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
        Ok(Self { stream, peer, failure, position: Position::new(workers), frame: Frame::default() })
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let frame = &mut self.frame;
        let next = if frame.given < frame.bytes.len() { Ok(true) } else { frame.receive(&mut self.stream) };
        let reason = match next {
            Ok(false) if self.position.ended => return Ok(0),
            Ok(false) => "the other process has ended".to_owned(),
            Ok(true) => {
                let content = &frame.bytes[frame.given..];
                let length = content.len().min(buffer.len());
                buffer[..length].copy_from_slice(&content[..length]);
                frame.given += length;
                match self.position.pass(&buffer[..length]) {
                    Some(()) => return Ok(length),
                    None => "it has sent bytes that are no messages".to_owned(),
                }
            }
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                "the other process has ended".to_owned()
            }
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
        let content = &bytes[..bytes.len().min(LONGEST_FRAME)];
        if !content.is_empty()
            && let Err(error) = self.stream.write_all(self.frame.pack(content))
        {
            self.failure.set(self.peer.clone(), error);
        }
        Ok(content.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Watched {
    fn try_clone(&self) -> io::Result<Self> {
        let (stream, failure) = (self.stream.try_clone()?, Arc::clone(&self.failure));
        let position = Position::new(self.position.workers.clone());
        Ok(Self { stream, peer: self.peer.clone(), failure, position, frame: Frame::default() })
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

    #[test]
    fn each_changed_bit_of_a_frame_is_found() {
        let (mut sent, mut bytes) = (Frame::default(), Vec::new());
        let contents = [vec![1; 30], vec![2], (0..100).collect()];
        contents.iter().for_each(|content| bytes.extend_from_slice(sent.pack(content)));
        let receive = |mut bytes: &[u8]| {
            let (mut frame, mut received) = (Frame::default(), Vec::new());
            while frame.receive(&mut bytes)? {
                received.push(frame.bytes.clone());
            }
            io::Result::Ok(received)
        };
        assert_eq!(receive(&bytes).unwrap(), contents);
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(receive(&damaged).is_err(), "bit {bit}");
        }
        // two frames in the other order
        let (first, second) = bytes.split_at(FRAME_HEAD + 30);
        assert!(receive(&[second, first].concat()).is_err());
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
