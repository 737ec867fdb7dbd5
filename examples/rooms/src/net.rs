//! The network of server and bots: addresses, and a loss of messages that is added to that of the
//! network.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::game::Random;

/// The name of the protocol: programs of another version are not connected.
pub const PROTOCOL: u64 = 0x0065_6373_726f_6f01;

/// The number of ticks in a second.
pub const RATE: u64 = 60;

/// A socket that does not wait.
pub fn socket(address: SocketAddr) -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind(address)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// The time by which connections are authenticated.
pub fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Loses messages, so many in a hundred.
pub struct Loss {
    percent: u32,
    random: Random,
}

impl Loss {
    pub fn new(percent: u32, seed: u64) -> Self {
        Self { percent, random: Random(seed) }
    }

    pub fn loses(&mut self) -> bool {
        self.random.next(100) < self.percent
    }
}
