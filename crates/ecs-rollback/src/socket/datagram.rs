//! [`DatagramSocket`]: messages as UDP datagrams.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};

use ggrs::{Message, NonBlockingSocket};

/// The longest datagram that is read. Messages of sessions are much shorter.
const MOST_BYTES: usize = 4096;

/// A UDP socket for sessions. In contrast to `ggrs::UdpNonBlockingSocket` it is bound to an address, so that it can listen on the loopback
/// only, and on any free port.
#[derive(Debug)]
pub struct DatagramSocket {
    socket: UdpSocket,
    buffer: Box<[u8]>,
}

impl DatagramSocket {
    /// Binds a socket to an address, such as `("127.0.0.1", 7000)`; port 0 is any free port.
    ///
    /// # Errors
    /// If the address cannot be bound.
    pub fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket, buffer: vec![0; MOST_BYTES].into() })
    }

    /// The address of this socket.
    ///
    /// # Errors
    /// If the system does not tell it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }
}

impl NonBlockingSocket<SocketAddr> for DatagramSocket {
    fn send_to(&mut self, message: &Message, address: &SocketAddr) {
        let bytes = bincode::serialize(message).expect("messages of sessions can be serialized");
        // a datagram that is not sent is one that is lost: the session sends it again
        let _ = self.socket.send_to(&bytes, address);
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        let mut messages = Vec::new();
        loop {
            match self.socket.recv_from(&mut self.buffer) {
                // bytes that are no message are ignored
                Ok((length, from)) => messages
                    .extend(bincode::deserialize(&self.buffer[..length]).ok().map(|message| (from, message))),
                // some systems report here that a datagram was sent to a port where no program listens
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {}
                Err(_) => return messages,
            }
        }
    }
}
