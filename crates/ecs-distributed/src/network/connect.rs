//! Connections between the processes of a run: who connects to whom, and the handshake.
//!
//! Process `a` connects to process `b` if `a > b`. Both send a [`Hello`] and compare it with their own, so that both report a mismatch.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use super::NetworkOptions;
use crate::RunError;
use crate::global_id::mix;

/// The first bytes of a connection.
const MAGIC: &[u8; 16] = b"ecs-distributed\n";
/// The version of the messages between processes.
const PROTOCOL: u32 = 1;
/// The length of a [`Hello`].
const LENGTH: usize = 16 + 4 * 4 + 8;
/// The time between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(20);

type Streams = Vec<Option<(TcpStream, String)>>;

/// A hash of the file of this program, for [`NetworkOptions::fingerprint`].
///
/// # Errors
/// If the file cannot be read.
pub fn fingerprint_of_program() -> Result<u64, RunError> {
    let fail = |error: io::Error| RunError::System(format!("the program's file cannot be read: {error}"));
    let mut file = std::env::current_exe().and_then(File::open).map_err(fail)?;
    let (mut hash, mut buffer) = (0_u64, vec![0; 1 << 16]);
    loop {
        let mut filled = 0;
        while filled < buffer.len() {
            match file.read(&mut buffer[filled..]).map_err(fail)? {
                0 => break,
                length => filled += length,
            }
        }
        if filled == 0 {
            return Ok(hash);
        }
        for chunk in buffer[..filled].chunks(8) {
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
}

impl Hello {
    fn to_bytes(self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes[..16].copy_from_slice(MAGIC);
        for (at, number) in [PROTOCOL, self.process, self.processes, self.workers].into_iter().enumerate() {
            bytes[16 + 4 * at..20 + 4 * at].copy_from_slice(&number.to_le_bytes());
        }
        bytes[32..].copy_from_slice(&self.fingerprint.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8; LENGTH], peer: &str) -> Result<Self, RunError> {
        if &bytes[..16] != MAGIC {
            return Err(RunError::Handshake(format!("{peer} is not a process of a distributed run")));
        }
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        if number(16) != PROTOCOL {
            let text =
                format!("{peer} has version {} of the protocol, and this process has {PROTOCOL}", number(16));
            return Err(RunError::Handshake(text));
        }
        let fingerprint = u64::from_le_bytes(bytes[32..].try_into().expect("eight bytes"));
        Ok(Self { process: number(20), processes: number(24), workers: number(28), fingerprint })
    }

    /// Compares the hello of another process with that of this one.
    fn compare(&self, other: &Self, peer: &str) -> Result<(), RunError> {
        let fail = |text: String| Err(RunError::Handshake(text));
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
        if other.process >= self.processes || other.process == self.process {
            return fail(format!(
                "{peer} is process {} of {}, beside process {}",
                other.process, self.processes, self.process
            ));
        }
        Ok(())
    }
}

/// Connects one process with all others.
pub(super) struct Mesh {
    own: Hello,
    deadline: Instant,
    streams: Streams,
}

impl Mesh {
    pub(super) fn new(options: NetworkOptions, process: usize) -> Self {
        let own = Hello {
            process: process as u32,
            processes: options.processes as u32,
            workers: options.workers as u32,
            fingerprint: options.fingerprint,
        };
        let streams = (0..options.processes).map(|_| None).collect();
        Self { own, deadline: Instant::now() + options.connect_timeout, streams }
    }

    fn check(&self) -> Result<(), RunError> {
        if self.own.process < self.own.processes {
            return Ok(());
        }
        let Hello { process, processes, .. } = self.own;
        Err(RunError::System(format!("there is no process {process} among {processes}")))
    }

    /// The time that is left.
    fn left(&self) -> Result<Duration, RunError> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if !left.is_zero() {
            return Ok(left);
        }
        let missing = self.streams.iter().enumerate();
        let missing = missing.filter(|(at, stream)| *at != self.own.process as usize && stream.is_none());
        let missing: Vec<String> = missing.map(|(at, _)| at.to_string()).collect();
        Err(RunError::Handshake(format!(
            "process {} has no connection to process {} in time",
            self.own.process,
            missing.join(", ")
        )))
    }

    /// The first process.
    pub(super) fn host(mut self, listener: &TcpListener) -> Result<Streams, RunError> {
        self.check()?;
        let mut addresses = vec![String::new(); self.streams.len()];
        while self.streams.iter().skip(1).any(Option::is_none) {
            let process = self.accept(listener)?;
            let (stream, peer) = self.streams[process].as_mut().expect("it was accepted");
            let fail = |error: io::Error| lost(&*peer, &error);
            let port = read_text(stream).map_err(fail)?;
            let ip = stream.peer_addr().map_err(fail)?.ip();
            addresses[process] = match ip {
                std::net::IpAddr::V6(ip) => format!("[{ip}]:{port}"),
                ip => format!("{ip}:{port}"),
            };
        }
        for (stream, peer) in self.streams.iter_mut().flatten() {
            write_text(stream, &addresses.join(" ")).map_err(|error| lost(peer, &error))?;
        }
        Ok(self.streams)
    }

    /// Another process of a run that process 0 hosts.
    pub(super) fn join(mut self, host: &str) -> Result<Streams, RunError> {
        self.check()?;
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
        self.check()?;
        if addresses.len() != self.streams.len() {
            let text = format!("{} addresses for {} processes", addresses.len(), self.streams.len());
            return Err(RunError::System(text));
        }
        let own = self.own.process as usize;
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
        while self.streams.iter().skip(self.own.process as usize + 1).any(Option::is_none) {
            self.accept(listener)?;
        }
        Ok(())
    }

    /// Accepts a connection of a process with a higher number, and returns the number.
    fn accept(&mut self, listener: &TcpListener) -> Result<usize, RunError> {
        let fail = |error: io::Error| RunError::System(format!("cannot listen: {error}"));
        listener.set_nonblocking(true).map_err(fail)?;
        loop {
            let left = self.left()?;
            let (stream, peer) = match listener.accept() {
                Ok((stream, peer)) => (stream, peer.to_string()),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    std::thread::sleep(PAUSE.min(left));
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
                Err(error) => return Err(fail(error)),
            };
            stream.set_nonblocking(false).map_err(fail)?;
            let (process, stream) = self.greet(stream, &peer)?;
            if process <= self.own.process as usize || self.streams[process].is_some() {
                return Err(RunError::Handshake(format!("process {process} connects twice, from {peer}")));
            }
            self.streams[process] = Some((stream, format!("process {process} at {peer}")));
            return Ok(process);
        }
    }

    /// Connects to a process with a lower number.
    fn connect(&mut self, process: usize, address: &str) -> Result<(), RunError> {
        loop {
            let left = self.left()?;
            let attempt = address.to_socket_addrs().and_then(|mut addresses| {
                let none = || io::Error::new(io::ErrorKind::NotFound, "no such host");
                TcpStream::connect_timeout(&addresses.next().ok_or_else(none)?, left)
            });
            match attempt {
                Ok(stream) => {
                    let (found, stream) = self.greet(stream, address)?;
                    if found != process {
                        let text = format!("{address} is process {found}, and not process {process}");
                        return Err(RunError::Handshake(text));
                    }
                    self.streams[process] = Some((stream, format!("process {process} at {address}")));
                    return Ok(());
                }
                // the other process may not listen yet
                Err(_) => std::thread::sleep(PAUSE.min(left)),
            }
        }
    }

    /// Exchanges hellos, and returns the number of the other process.
    fn greet(&self, mut stream: TcpStream, peer: &str) -> Result<(usize, TcpStream), RunError> {
        let fail = |error: io::Error| lost(peer, &error);
        let left = self.left()?;
        stream.set_read_timeout(Some(left)).map_err(fail)?;
        stream.set_write_timeout(Some(left)).map_err(fail)?;
        stream.set_nodelay(true).map_err(fail)?;
        stream.write_all(&self.own.to_bytes()).map_err(fail)?;
        let mut bytes = [0; LENGTH];
        stream.read_exact(&mut bytes).map_err(fail)?;
        let other = Hello::read(&bytes, peer)?;
        self.own.compare(&other, peer)?;
        Ok((other.process as usize, stream))
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
