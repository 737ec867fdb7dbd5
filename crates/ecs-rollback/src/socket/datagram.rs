//! [`DatagramSocket`]: messages as UDP datagrams.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};

use ggrs::{Message, NonBlockingSocket};

/// The longest datagram that is read. Messages of sessions are much shorter.
const MOST_BYTES: usize = 4096;
/// The most datagrams that are read in one frame; the others wait in the buffer of the system.
const MOST_DATAGRAMS: usize = 256;
/// The most bytes of inputs in one message, after their run lengths were replaced by bytes.
const MOST_INPUT_BYTES: u64 = 1 << 16;

/// A UDP socket for sessions. In contrast to `ggrs::UdpNonBlockingSocket` it is bound to an
/// address, so that it can listen on the loopback only, and on any free port.
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
        for _ in 0..MOST_DATAGRAMS {
            match self.socket.recv_from(&mut self.buffer) {
                // bytes that are no message are ignored
                Ok((length, from)) => {
                    messages.extend(read(&self.buffer[..length]).map(|message| (from, message)))
                }
                // some systems report here that a datagram was sent to a port where no program
                // listens
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {}
                Err(_) => break,
            }
        }
        messages
    }
}

/// A message of `ggrs` with inputs, whose fields are private there: the magic number, the kind of
/// the message, the connections, whether the sender disconnects, two frames, and the run lengths of
/// the inputs.
type InputMessage<'b> = (u16, u32, Vec<(bool, i32)>, bool, i32, i32, &'b [u8]);
/// The kind of these messages.
const INPUT: u32 = 2;

/// Reads a message, unless its inputs would take much memory.
fn read(bytes: &[u8]) -> Option<Message> {
    if let Ok((_, INPUT, .., inputs)) = bincode::deserialize::<InputMessage<'_>>(bytes)
        && input_bytes(inputs).is_none_or(|length| length > MOST_INPUT_BYTES)
    {
        return None;
    }
    bincode::deserialize(bytes).ok()
}

/// The number of bytes that a session makes of the run lengths in a message, before it looks at
/// them; `None` if they are damaged. A number has its low bits first, seven in each byte. Its
/// lowest bit tells runs of one byte, whose length is in the bits from the third on, from bytes
/// that follow, whose number is in the bits from the second on.
fn input_bytes(mut bytes: &[u8]) -> Option<u64> {
    let mut length = 0_u64;
    while !bytes.is_empty() {
        // a number has at most ten bytes
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = *bytes.split_off_first()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
            if shift == 63 {
                return None;
            }
        }
        // bytes that follow must be there; a sum beyond 64 bits is damaged, too
        length = if number & 1 == 1 {
            length.checked_add(number >> 2)?
        } else {
            let follow = usize::try_from(number >> 1).ok()?;
            bytes = bytes.get(follow..)?;
            length.checked_add(number >> 1)?
        };
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An input message of `ggrs` with these run lengths.
    fn message(inputs: &[u8]) -> Vec<u8> {
        let message: InputMessage<'_> = (7, INPUT, vec![(false, 0); 2], false, 0, -1, inputs);
        bincode::serialize(&message).unwrap()
    }

    #[test]
    fn inputs_that_would_take_gigabytes_are_no_message() {
        // a run of 2^40 bytes: the number 2^42 + 3
        let long = [0x83, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01];
        assert!(bincode::deserialize::<Message>(&message(&long)).is_ok(), "ggrs itself would take it");
        assert!(read(&message(&long)).is_none());
        // 3 bytes follow
        assert!(read(&message(&[6, 1, 2, 3])).is_some());
        for damaged in
            [&[6, 1, 2][..], &[0x80], &[0xff; 12], &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]]
        {
            assert!(read(&message(damaged)).is_none(), "{damaged:?}");
        }
    }

    #[test]
    fn run_lengths_are_added_as_a_session_adds_them() {
        assert_eq!(input_bytes(&[]), Some(0));
        assert_eq!(input_bytes(&[5 << 2 | 1, 9 << 2 | 3, 2 << 1, 7, 7]), Some(16));
    }
}
