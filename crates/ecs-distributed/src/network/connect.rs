//! Connections between the processes of a run, and the handshake on each of them.
//!
//! Process `a` connects to process `b` if `a > b`. Both send a [`Hello`], then a proof that they
//! have the [`Key`], and compare the hello of the other with their own, so that both report a
//! mismatch. One without the key is closed, and cannot end the run.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::ops::Range;
use std::time::{Duration, Instant};

use super::key::PROOF;
use super::{Key, NetworkOptions};
use crate::RunError;
use crate::global_id::mix;

/// The first bytes of a connection.
const MAGIC: &[u8; 16] = b"ecs-distributed\n";
/// The version of the messages between processes.
const PROTOCOL: u32 = 5;
/// The length of a [`Hello`].
const LENGTH: usize = 16 + 4 * 4 + 8 + 16;
/// The time between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(20);
/// The time within which a process that connects sends its [`Hello`], which it does at once.
const GREETING: Duration = Duration::from_secs(2);
/// The most connections that have not sent their [`Hello`]. More than that wait in the queue of the
/// operating system.
const MOST_GREETINGS: usize = 256;
/// The longest time to wait for connections: the end of a longer one may be beyond the last
/// [`Instant`].
const LONGEST: Duration = Duration::from_secs(1 << 30);

type Streams = Vec<Option<(TcpStream, String)>>;

/// A hash of the file of this program, for [`NetworkOptions::fingerprint`].
///
/// # Errors
/// If the file cannot be read.
pub fn fingerprint_of_program() -> Result<u64, RunError> {
    let fail = |error: io::Error| RunError::System(format!("the program's file cannot be read: {error}"));
    let mut file = std::env::current_exe().and_then(File::open).map_err(fail)?;
    let (mut hash, mut buffer) = (0_u64, Vec::new());
    loop {
        // whole chunks: they must not depend on how many bytes a call of `read` returns
        buffer.clear();
        let filled = Read::by_ref(&mut file).take(1 << 16).read_to_end(&mut buffer).map_err(fail)?;
        if filled == 0 {
            return Ok(hash);
        }
        // eight bytes at a time; the last chunk is padded, so the length is part of the hash
        for chunk in buffer.chunks(8) {
            let mut number = [0; 8];
            number[..chunk.len()].copy_from_slice(chunk);
            hash = (hash.rotate_left(5) ^ u64::from_le_bytes(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        hash = mix(hash ^ filled as u64);
    }
}

/// The first message of a process: its number and its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hello {
    process: u32,
    processes: u32,
    workers: u32,
    fingerprint: u64,
    /// A random number, so that no proof fits another connection.
    nonce: [u8; 16],
}

impl Hello {
    fn to_bytes(self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes[..16].copy_from_slice(MAGIC);
        for (at, number) in [PROTOCOL, self.process, self.processes, self.workers].into_iter().enumerate() {
            bytes[16 + 4 * at..20 + 4 * at].copy_from_slice(&number.to_le_bytes());
        }
        bytes[32..40].copy_from_slice(&self.fingerprint.to_le_bytes());
        bytes[40..].copy_from_slice(&self.nonce);
        bytes
    }

    /// Reads a hello whose first bytes are [`MAGIC`].
    fn read(bytes: &[u8], peer: &str) -> Result<Self, Refusal> {
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        if number(16) != PROTOCOL {
            let text =
                format!("{peer} has version {} of the protocol, and this process has {PROTOCOL}", number(16));
            return Err(Refusal::Stranger(text));
        }
        let fingerprint = u64::from_le_bytes(bytes[32..40].try_into().expect("eight bytes"));
        let nonce = bytes[40..LENGTH].try_into().expect("sixteen bytes");
        Ok(Self { process: number(20), processes: number(24), workers: number(28), fingerprint, nonce })
    }

    /// Compares the hello of another process with that of this one.
    fn compare(&self, other: &Self, peer: &str) -> Result<(), RunError> {
        let fail = |text: String| Err(RunError::Handshake(text));
        // another program or other options would give another result, without an error later on
        if other.fingerprint != self.fingerprint {
            return fail(format!(
                "process {} at {peer} is another version of the program, or runs with other options: its fingerprint is {:016x}, and that \
                 of process {} is {:016x}",
                other.process, other.fingerprint, self.process, self.fingerprint
            ));
        }
        if (other.processes, other.workers) != (self.processes, self.workers) {
            return fail(format!(
                "process {} at {peer} expects {} processes of {} workers, and process {} expects {} of {}",
                other.process, other.processes, other.workers, self.process, self.processes, self.workers
            ));
        }
        // a process with a wrong number
        if other.process >= self.processes {
            return fail(format!("{peer} is process {} of {}", other.process, self.processes));
        }
        Ok(())
    }
}

/// Connects one process with all others.
pub(super) struct Mesh {
    own: Hello,
    key: Key,
    deadline: Instant,
    streams: Streams,
    /// The addresses of the processes, if they are known.
    addresses: Vec<String>,
    /// The processes that are waited for.
    awaited: Range<usize>,
    /// The connections that others have made, and that have not sent their hello.
    greetings: Vec<Greeting>,
    /// The last attempt that has led to no connection, for the error if the time is over.
    failed: Option<String>,
}

/// A connection whose [`Hello`] and proof are read. Several are read at the same time, so that
/// strangers which send nothing do not delay the others.
struct Greeting {
    stream: TcpStream,
    peer: String,
    /// The number of this process, and its hello.
    process: u32,
    own: [u8; LENGTH],
    /// Whether this process has made the connection.
    connects: bool,
    key: Key,
    bytes: [u8; LENGTH + PROOF],
    filled: usize,
    deadline: Instant,
}

impl Greeting {
    /// Sends the hello of this process. With no time to wait, the stream does not block from now
    /// on: a hello and a proof fit into its buffer. Only who has made a connection waits.
    fn begin(stream: TcpStream, peer: &str, mesh: &Mesh, within: Duration) -> Result<Self, Refusal> {
        let mut hello = mesh.own;
        let fail = |error: &dyn fmt::Display| {
            Refusal::Mismatch(RunError::System(format!("no random numbers: {error}")))
        };
        getrandom::fill(&mut hello.nonce).map_err(|error| fail(&error))?;
        let deadline = Instant::now() + if within.is_zero() { GREETING } else { within };
        let (own, bytes) = (hello.to_bytes(), [0; LENGTH + PROOF]);
        let (peer, process, connects) = (peer.to_owned(), hello.process, !within.is_zero());
        let mut greeting =
            Self { stream, peer, process, own, connects, key: mesh.key, bytes, filled: 0, deadline };
        let stream = &greeting.stream;
        let begun = stream.set_nodelay(true).and_then(|()| match within {
            Duration::ZERO => stream.set_nonblocking(true),
            within => stream.set_nonblocking(false).and_then(|()| stream.set_write_timeout(Some(within))),
        });
        let sent = begun.and_then(|()| greeting.stream.write_all(&own));
        sent.map_err(|error| greeting.stranger(error))?;
        Ok(greeting)
    }

    fn stranger(&self, error: io::Error) -> Refusal {
        Refusal::Stranger(format!("{} has connected, and has sent no hello: {error}", self.peer))
    }

    /// Reads hello and proof as far as they have come, and answers the hello with the proof of this
    /// process. A stream that blocks does so until the deadline at most. `None` if a part is
    /// missing.
    fn read(&mut self, blocks: bool) -> Result<Option<Hello>, Refusal> {
        while self.filled < self.bytes.len() {
            // a stranger may send one byte after the other
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.stranger(io::ErrorKind::TimedOut.into()));
            }
            if blocks {
                self.stream.set_read_timeout(Some(left)).map_err(|error| self.stranger(error))?;
            }
            let end = if self.filled < LENGTH { LENGTH } else { self.bytes.len() };
            match self.stream.read(&mut self.bytes[self.filled..end]) {
                Ok(0) => return Err(self.stranger(io::ErrorKind::UnexpectedEof.into())),
                Ok(length) => self.filled += length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && !blocks => return Ok(None),
                Err(error) => return Err(self.stranger(error)),
            }
            let known = self.filled.min(MAGIC.len());
            if self.bytes[..known] != MAGIC[..known] {
                let text = format!("{} is not a process of a distributed run", self.peer);
                return Err(Refusal::Stranger(text));
            }
            if self.filled == LENGTH {
                Hello::read(&self.bytes, &self.peer)?;
                let proof = self.key.proof(self.connects, &self.own, &self.bytes[..LENGTH]);
                self.stream.write_all(&proof).map_err(|error| self.stranger(error))?;
            }
        }
        // only who has the key may end the run, by a mismatch
        let (hello, proof) = self.bytes.split_at(LENGTH);
        if !self.key.proves(proof, !self.connects, hello, &self.own) {
            return Err(Refusal::Stranger(format!("{} does not have the key of this run", self.peer)));
        }
        let hello = Hello::read(hello, &self.peer)?;
        // a stranger can have proofs of this process itself, from another connection
        if hello.process == self.process {
            return Err(Refusal::Stranger(format!("{} is process {} as well", self.peer, self.process)));
        }
        Ok(Some(hello))
    }
}

impl Mesh {
    pub(super) fn new(options: NetworkOptions, process: usize) -> Result<Self, RunError> {
        options.check(process)?;
        let own = Hello {
            process: process as u32,
            processes: options.processes as u32,
            workers: options.workers as u32,
            fingerprint: options.fingerprint,
            nonce: [0; 16],
        };
        let streams = (0..options.processes).map(|_| None).collect();
        let deadline = Instant::now() + options.connect_timeout.min(LONGEST);
        let (key, addresses, awaited) = (options.key, Vec::new(), 0..options.processes);
        Ok(Self { own, key, deadline, streams, addresses, awaited, greetings: Vec::new(), failed: None })
    }

    /// The time that is left.
    fn left(&self) -> Result<Duration, RunError> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if !left.is_zero() {
            return Ok(left);
        }
        let missing =
            self.awaited.clone().filter(|&at| at != self.own.process as usize && self.streams[at].is_none());
        let missing: Vec<String> = missing
            .map(|at| match self.addresses.get(at) {
                Some(address) => format!("{at} ({address})"),
                None => at.to_string(),
            })
            .collect();
        let failed = self.failed.as_ref().map_or_else(String::new, |failed| format!("; {failed}"));
        Err(RunError::Handshake(format!(
            "process {} has no connection to process {} in time{failed}",
            self.own.process,
            missing.join(", ")
        )))
    }

    /// The first process.
    pub(super) fn host(mut self, listener: &TcpListener) -> Result<Streams, RunError> {
        let mut addresses = vec![String::new(); self.streams.len()];
        // every process says at which port it accepts the others; the host sees its address
        while self.streams.iter().skip(1).any(Option::is_none) {
            let process = self.accept(listener)?;
            let (stream, peer) = self.streams[process].as_mut().expect("it was accepted");
            let fail = |error: io::Error| lost(&*peer, &error);
            let port = read_text(stream).map_err(fail)?;
            let port: u16 = port
                .parse()
                .map_err(|_| RunError::Handshake(format!("{peer} has sent no port: {port:?}")))?;
            let ip = stream.peer_addr().map_err(fail)?.ip();
            addresses[process] = match ip {
                std::net::IpAddr::V6(ip) => format!("[{ip}]:{port}"),
                ip => format!("{ip}:{port}"),
            };
        }
        // once all are there, each gets the list, and connects to those before it
        for (stream, peer) in self.streams.iter_mut().flatten() {
            write_text(stream, &addresses.join(" ")).map_err(|error| lost(peer, &error))?;
        }
        Ok(self.streams)
    }

    /// Another process of a run that process 0 hosts.
    pub(super) fn join(mut self, host: &str) -> Result<Streams, RunError> {
        self.connect(0, host)?;
        let (stream, peer) = self.streams[0].as_mut().expect("it was connected");
        let peer = peer.clone();
        let fail = |error: io::Error| lost(&peer, &error);
        // other processes reach this one at the address at which it reaches the host
        let ip = stream.local_addr().map_err(fail)?.ip();
        let listener = TcpListener::bind((ip, 0)).map_err(fail)?;
        let port = listener.local_addr().map_err(fail)?.port();
        write_text(stream, &port.to_string()).map_err(fail)?;
        let addresses = read_text(stream).map_err(fail)?;
        // the address of process 0 is empty
        let addresses: Vec<&str> = addresses.split(' ').collect();
        if addresses.len() != self.streams.len() {
            return Err(RunError::Handshake(format!("{host} has sent {} addresses", addresses.len())));
        }
        for (process, address) in addresses.iter().enumerate().take(self.own.process as usize).skip(1) {
            self.connect(process, address)?;
        }
        self.accept_all(&listener)?;
        Ok(self.streams)
    }

    /// A process of a run whose addresses are known.
    pub(super) fn hosts(mut self, addresses: &[String]) -> Result<Streams, RunError> {
        if addresses.len() != self.streams.len() {
            let text = format!("{} addresses for {} processes", addresses.len(), self.streams.len());
            return Err(RunError::System(text));
        }
        let own = self.own.process as usize;
        self.addresses = addresses.to_vec();
        let listener = TcpListener::bind(&addresses[own]);
        let listener = listener
            .map_err(|error| RunError::System(format!("cannot listen at {}: {error}", addresses[own])))?;
        for (process, address) in addresses.iter().enumerate().take(own) {
            self.connect(process, address)?;
        }
        self.accept_all(&listener)?;
        Ok(self.streams)
    }

    fn accept_all(&mut self, listener: &TcpListener) -> Result<(), RunError> {
        self.awaited = self.own.process as usize + 1..self.streams.len();
        while self.streams.iter().skip(self.own.process as usize + 1).any(Option::is_none) {
            self.accept(listener)?;
        }
        Ok(())
    }

    /// Accepts a connection of a process with a higher number, and returns the number.
    fn accept(&mut self, listener: &TcpListener) -> Result<usize, RunError> {
        let fail = |error: io::Error| RunError::System(format!("cannot listen: {error}"));
        // without blocking: a connection that stays silent must not keep out the processes of the
        // run
        listener.set_nonblocking(true).map_err(fail)?;
        loop {
            let left = self.left()?;
            // take new connections, and answer each with a greeting
            while self.greetings.len() < MOST_GREETINGS {
                match listener.accept() {
                    Ok((stream, peer)) => {
                        match Greeting::begin(stream, &peer.to_string(), self, Duration::ZERO) {
                            Ok(greeting) => self.greetings.push(greeting),
                            Err(error) => self.failed = Some(error.into_text()),
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                    Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                    Err(error) => return Err(fail(error)),
                }
            }
            // look which greetings are complete: strangers are dropped, a process of another run is
            // an error
            let mut at = 0;
            while at < self.greetings.len() {
                match self.greetings[at].read(false) {
                    Ok(None) => at += 1,
                    Ok(Some(hello)) => {
                        let greeting = self.greetings.remove(at);
                        return self.accepted(hello, greeting);
                    }
                    Err(Refusal::Stranger(reason)) => {
                        self.failed = Some(reason);
                        self.greetings.remove(at);
                    }
                    Err(Refusal::Mismatch(error)) => return Err(error),
                }
            }
            // nothing more to do at present; `left` ends the loop when the time is over
            std::thread::sleep(PAUSE.min(left));
        }
    }

    /// Keeps a connection that another process has made, and returns the number of the process.
    fn accepted(&mut self, hello: Hello, greeting: Greeting) -> Result<usize, RunError> {
        let peer = greeting.peer.clone();
        let (process, stream) = self.end(hello, greeting).map_err(|refusal| match refusal {
            Refusal::Stranger(reason) => RunError::Handshake(reason),
            Refusal::Mismatch(error) => error,
        })?;
        if process <= self.own.process as usize || self.streams[process].is_some() {
            return Err(RunError::Handshake(format!("process {process} connects twice, from {peer}")));
        }
        self.streams[process] = Some((stream, format!("process {process} at {peer}")));
        Ok(process)
    }

    /// Connects to a process with a lower number.
    fn connect(&mut self, process: usize, address: &str) -> Result<(), RunError> {
        self.awaited = process..process + 1;
        loop {
            let left = self.left()?;
            let mut attempt = Err(io::Error::new(io::ErrorKind::NotFound, "no such host"));
            match address.to_socket_addrs() {
                Ok(found) => {
                    for address in found {
                        attempt = TcpStream::connect_timeout(&address, left);
                        if attempt.is_ok() {
                            break;
                        }
                    }
                }
                // no time makes it an address
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                    let text = format!("`{address}` is no address of process {process}: {error}");
                    return Err(RunError::System(text));
                }
                Err(error) => attempt = Err(error),
            }
            match attempt {
                Ok(stream) => {
                    let (found, stream) =
                        self.greet(stream, address, left).map_err(|refusal| match refusal {
                            Refusal::Stranger(reason) => RunError::Handshake(reason),
                            Refusal::Mismatch(error) => error,
                        })?;
                    if found != process {
                        let text = format!("{address} is process {found}, and not process {process}");
                        return Err(RunError::Handshake(text));
                    }
                    self.streams[process] = Some((stream, format!("process {process} at {address}")));
                    return Ok(());
                }
                // the other process may not listen yet
                Err(error) => {
                    self.failed = Some(format!("{address}: {error}"));
                    std::thread::sleep(PAUSE.min(left));
                }
            }
        }
    }

    /// Exchanges hellos, and returns the number of the other process.
    fn greet(&self, stream: TcpStream, peer: &str, within: Duration) -> Result<(usize, TcpStream), Refusal> {
        let mut greeting = Greeting::begin(stream, peer, self, within)?;
        loop {
            if let Some(hello) = greeting.read(true)? {
                return self.end(hello, greeting);
            }
        }
    }

    /// Compares the hello of another process with that of this one, and returns its number, with a
    /// stream that blocks.
    fn end(&self, hello: Hello, greeting: Greeting) -> Result<(usize, TcpStream), Refusal> {
        self.own.compare(&hello, &greeting.peer).map_err(Refusal::Mismatch)?;
        let left = Some(self.left().map_err(Refusal::Mismatch)?);
        let stream = &greeting.stream;
        let blocks = stream
            .set_nonblocking(false)
            .and_then(|()| stream.set_read_timeout(left))
            .and_then(|()| stream.set_write_timeout(left));
        blocks.map_err(|error| greeting.stranger(error))?;
        Ok((hello.process as usize, greeting.stream))
    }
}

/// The reason why a connection is not one to another process.
enum Refusal {
    /// It does not begin as one.
    Stranger(String),
    /// The other process is of another run.
    Mismatch(RunError),
}

impl Refusal {
    fn into_text(self) -> String {
        match self {
            Self::Stranger(reason) => reason,
            Self::Mismatch(error) => error.to_string(),
        }
    }
}

fn lost(peer: impl fmt::Display, error: &io::Error) -> RunError {
    RunError::Lost { peer: peer.to_string(), reason: error.to_string() }
}

fn write_text(stream: &mut TcpStream, text: &str) -> io::Result<()> {
    stream.write_all(&(text.len() as u32).to_le_bytes())?;
    stream.write_all(text.as_bytes())
}

/// Reads a text of at most a mebibyte.
fn read_text(stream: &mut TcpStream) -> io::Result<String> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > 1 << 20 {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a text is too long"));
    }
    let mut bytes = vec![0; length as usize];
    stream.read_exact(&mut bytes)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}
