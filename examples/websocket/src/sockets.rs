//! [`Sockets`]: the connections of a server, none of which is waited for.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use tungstenite::handshake::MidHandshake;
use tungstenite::handshake::server::{NoCallback, ServerHandshake};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, HandshakeError, Message, WebSocket, accept_with_config};

/// The most connections, open or not yet.
const MOST: usize = 1_000;

/// The time in which a connection becomes a WebSocket.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// The most messages of a client that are read at a time; the others are read next time.
const AT_ONCE: usize = 64;

/// A connection that is not a WebSocket yet.
type Handshake = MidHandshake<ServerHandshake<TcpStream, NoCallback>>;

/// What has happened to a client, which has the number of its connection.
#[derive(Debug)]
pub enum SocketEvent {
    Opened(u64),
    Received(u64, Vec<u8>),
    Closed(u64),
}

/// The connections of a server.
pub struct Sockets {
    listener: TcpListener,
    config: WebSocketConfig,
    handshakes: Vec<(Instant, Handshake)>,
    open: BTreeMap<u64, WebSocket<TcpStream>>,
    /// The number of the last connection.
    last: u64,
}

/// Whether the socket has no more to read, or no room to write, for now.
pub fn must_wait(error: &Error) -> bool {
    matches!(error, Error::Io(error) if error.kind() == ErrorKind::WouldBlock)
}

impl Sockets {
    /// Listens at an address. A client whose message is longer than `longest` bytes is disconnected.
    pub fn bind(address: SocketAddr, longest: usize) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let config = WebSocketConfig::default().max_message_size(Some(longest)).max_frame_size(Some(longest));
        Ok(Self { listener, config, handshakes: Vec::new(), open: BTreeMap::new(), last: 0 })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// What has happened since the last call.
    pub fn poll(&mut self) -> Vec<SocketEvent> {
        let mut events = Vec::new();
        self.accept(&mut events);
        let mut closed = Vec::new();
        for (&client, socket) in &mut self.open {
            for _ in 0..AT_ONCE {
                match socket.read() {
                    Ok(Message::Binary(bytes)) => events.push(SocketEvent::Received(client, bytes.to_vec())),
                    // a ping is answered by `read`
                    Ok(_) => {}
                    Err(error) if must_wait(&error) => break,
                    Err(_) => {
                        closed.push(client);
                        break;
                    }
                }
            }
        }
        for client in closed {
            self.close(client);
            events.push(SocketEvent::Closed(client));
        }
        events
    }

    /// Accepts connections, and goes on with handshakes.
    fn accept(&mut self, events: &mut Vec<SocketEvent>) {
        let mut next: Vec<_> =
            self.handshakes.drain(..).map(|(since, one)| (since, one.handshake())).collect();
        while next.len() + self.open.len() < MOST {
            let Ok((stream, _)) = self.listener.accept() else { break };
            // without delay: a message is of use in its tick only
            if stream.set_nonblocking(true).and_then(|()| stream.set_nodelay(true)).is_ok() {
                next.push((Instant::now(), accept_with_config(stream, Some(self.config))));
            }
        }
        for (since, handshake) in next {
            match handshake {
                Ok(socket) => {
                    self.last += 1;
                    self.open.insert(self.last, socket);
                    events.push(SocketEvent::Opened(self.last));
                }
                Err(HandshakeError::Interrupted(one)) if since.elapsed() < HANDSHAKE => {
                    self.handshakes.push((since, one));
                }
                Err(_) => {}
            }
        }
    }

    /// Sends a message, unless an earlier one to this client is still under way: the next message
    /// has its content. Returns whether it is sent.
    pub fn send(&mut self, client: u64, bytes: Vec<u8>) -> bool {
        let Some(socket) = self.open.get_mut(&client) else { return false };
        // an error is found by the next `poll`
        if socket.flush().is_err() {
            return false;
        }
        let sent = socket.send(Message::binary(bytes));
        sent.is_ok() || sent.is_err_and(|error| must_wait(&error))
    }

    /// Ends a connection.
    pub fn close(&mut self, client: u64) {
        if let Some(mut socket) = self.open.remove(&client) {
            // the other side may be gone
            let _ = socket.close(None);
        }
    }
}
