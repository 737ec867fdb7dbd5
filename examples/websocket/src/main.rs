//! Replication over WebSockets: `cargo run --release -p websocket -- [CLIENTS] [TICKS]`.
//!
//! A server thread with `tungstenite` and clients in one process, over the loopback. A message that
//! the socket of a slow client has no room for is left out, since the next one has its content. The
//! clients draw 60 pictures in a second between the 20 frames of the server, as late as the jitter of
//! the arrivals wants it.

mod game;
mod sockets;

use std::error::Error;
use std::net::{SocketAddr, TcpStream};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs::save::{Replica, Selection};
use ecs_replication::{Client, ClientId, Interpolation, JitterBuffer, Limits, Server};
use tungstenite::{Message, WebSocket};

use game::{Input, Place, RATE, Shown, Sky};
use sockets::{SocketEvent, Sockets};

type Failure = Box<dyn Error + Send + Sync>;

/// The length of a frame.
fn frame() -> Duration {
    Duration::from_secs(1) / RATE
}

fn main() -> ExitCode {
    let numbers: Result<Vec<u64>, _> = std::env::args().skip(1).map(|text| text.parse()).collect();
    let done = match numbers.as_deref() {
        Ok([]) => play(8, 100),
        Ok(&[clients @ 1..=64, ticks]) if ticks > 0 => play(clients, ticks),
        _ => Err("usage: websocket [CLIENTS TICKS], up to 64 clients".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("websocket: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays until all clients have a frame of tick `ticks`, or a later one.
fn play(clients: u64, ticks: u64) -> Result<(), Failure> {
    let sockets = Sockets::bind(([127, 0, 0, 1], 0).into(), Limits::default().message)?;
    let address = sockets.address()?;
    let server = thread::spawn(move || serve(sockets, clients));
    let mut all = (0..clients).map(|_| Player::connect(address)).collect::<Result<Vec<_>, _>>()?;
    let (begin, longest) = (Instant::now(), frame() * ticks as u32 * 2 + Duration::from_secs(20));
    while all.iter().any(|player| player.client.frame() < ticks) {
        if begin.elapsed() > longest {
            return Err(format!("a client has not received tick {ticks} in {longest:?}").into());
        }
        for player in &mut all {
            player.picture(begin.elapsed())?;
        }
        thread::sleep(Duration::from_secs(1) / 60);
    }
    let (pictures, stood): (u64, u64) = all
        .iter()
        .fold((0, 0), |(pictures, stood), player| (pictures + player.pictures, stood + player.stood));
    let frames: u64 = all.iter().map(|player| player.frames).sum();
    println!("{clients} clients: {frames} frames were compared by hash");
    println!("{pictures} pictures, {} % of them without a next frame", 100 * stood / pictures.max(1));
    drop(all);
    let bytes = server.join().map_err(|_| "the server has panicked")??;
    println!("{bytes} bytes for each client and tick");
    Ok(())
}

/// Serves until so many clients have come and left. Returns the bytes for each client and tick.
fn serve(mut sockets: Sockets, clients: u64) -> Result<u64, Failure> {
    let mut sky = game::sky(200);
    let mut server = Server::<Sky, Input>::new(1, Limits::default());
    let (mut tick, mut left, mut bytes, mut messages) = (0, 0, 0, 0);
    let mut due = Instant::now();
    while left < clients {
        for event in sockets.poll() {
            match event {
                SocketEvent::Opened(client) => server.connect(ClientId(client)),
                SocketEvent::Closed(client) => left += u64::from(server.disconnect(ClientId(client))),
                SocketEvent::Received(client, message) => match server.receive(ClientId(client), &message) {
                    Ok(inputs) => inputs.into_iter().for_each(|input| game::call(&mut sky, input)),
                    // a socket loses and repeats nothing: the client is broken, or hostile
                    Err(_) => {
                        sockets.close(client);
                        left += u64::from(server.disconnect(ClientId(client)));
                    }
                },
            }
        }
        sky.tick();
        tick += 1;
        for (ClientId(client), message) in server.messages(&mut sky, tick, |_, _| Selection::of::<Shown>())? {
            let length = message.len() as u64;
            if sockets.send(client, message) {
                (bytes, messages) = (bytes + length, messages + 1);
            }
        }
        due += frame();
        thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    Ok(bytes / messages.max(1))
}

/// A client.
struct Player {
    socket: WebSocket<TcpStream>,
    sky: Sky,
    client: Client<Sky, Input>,
    buffer: JitterBuffer,
    shown: Interpolation<Place>,
    frames: u64,
    pictures: u64,
    /// The pictures of the newest frame, because the next one was not there.
    stood: u64,
}

impl Player {
    fn connect(address: SocketAddr) -> Result<Self, Failure> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        let (socket, _) = tungstenite::client(format!("ws://{address}/"), stream)?;
        socket.get_ref().set_nonblocking(true)?;
        Ok(Self {
            socket,
            sky: Sky::new(),
            client: Client::new::<Shown>(Replica::new().entities(10_000), 1 << 20),
            buffer: JitterBuffer::new(frame()),
            shown: Interpolation::new().frames(12),
            frames: 0,
            pictures: 0,
            stood: 0,
        })
    }

    /// Reads what has arrived, answers, and draws.
    fn picture(&mut self, now: Duration) -> Result<(), Failure> {
        let mut is_new = false;
        while let Some(message) = self.read()? {
            if self.client.receive(&mut self.sky, &message)? {
                let frame = self.client.frame();
                self.buffer.arrived(frame, now);
                self.shown.record(&self.sky, frame);
                (self.frames, is_new) = (self.frames + 1, true);
            }
        }
        if is_new {
            if self.frames == 10 {
                self.client.input(Input::Call { x: 7, y: -120 });
            }
            self.socket.send(Message::binary(self.client.message()?))?;
        }
        let Some(frame) = self.buffer.frame(now) else { return Ok(()) };
        self.pictures += 1;
        self.stood += u64::from(frame >= self.client.frame() as f64);
        for bird in self.sky.entities().iter() {
            // to be drawn here
            let Some(Place { x, y }) = self.shown.at(bird, frame) else { continue };
            assert!(x.abs() <= 100.0 && y.abs() <= 100.0);
        }
        Ok(())
    }

    /// The next message that has arrived.
    fn read(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        loop {
            match self.socket.read() {
                Ok(Message::Binary(bytes)) => return Ok(Some(bytes.to_vec())),
                Ok(_) => {}
                Err(error) if sockets::must_wait(&error) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    /// Polls until something has happened.
    fn wait(sockets: &mut Sockets) -> Vec<SocketEvent> {
        let begin = Instant::now();
        loop {
            let events = sockets.poll();
            if !events.is_empty() || begin.elapsed() > Duration::from_secs(10) {
                return events;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// A connection that shakes hands in a thread of its own.
    fn connect(sockets: &mut Sockets) -> (WebSocket<TcpStream>, u64) {
        let address = sockets.address().unwrap();
        let client = thread::spawn(move || Player::connect(address).unwrap().socket);
        let events = wait(sockets);
        let &[SocketEvent::Opened(number)] = &events[..] else { panic!("{events:?}") };
        (client.join().unwrap(), number)
    }

    #[test]
    fn long_messages_and_other_protocols_end_only_their_connection() {
        let mut sockets = Sockets::bind(([127, 0, 0, 1], 0).into(), 100).unwrap();
        let address = sockets.address().unwrap();
        // one says nothing, and one is no WebSocket
        let silent = TcpStream::connect(address).unwrap();
        let mut other = TcpStream::connect(address).unwrap();
        other.write_all(b"hello, is this a server?\r\n\r\n").unwrap();
        let (mut ann, ann_number) = connect(&mut sockets);
        let (mut bob, bob_number) = connect(&mut sockets);
        assert_eq!(other.read(&mut [0; 1]).unwrap_or(0), 0, "the connection is closed");
        bob.send(Message::binary(vec![0; 101])).unwrap();
        let events = wait(&mut sockets);
        assert!(matches!(events[..], [SocketEvent::Closed(client)] if client == bob_number), "{events:?}");
        ann.send(Message::binary(vec![7; 100])).unwrap();
        let events = wait(&mut sockets);
        assert!(
            matches!(&events[..], [SocketEvent::Received(client, bytes)]
            if *client == ann_number && bytes[..] == [7; 100]),
            "{events:?}"
        );
        assert!(!sockets.send(bob_number, vec![1]) && sockets.send(ann_number, vec![1]));
        drop((silent, ann));
        let events = wait(&mut sockets);
        assert!(matches!(events[..], [SocketEvent::Closed(client)] if client == ann_number), "{events:?}");
    }

    #[test]
    fn a_client_that_does_not_read_is_sent_no_more_than_its_socket_holds() {
        let mut sockets = Sockets::bind(([127, 0, 0, 1], 0).into(), 100).unwrap();
        let (client, number) = connect(&mut sockets);
        let sent = (0..2_000).filter(|_| sockets.send(number, vec![1; 100_000])).count();
        assert!((1..1_000).contains(&sent), "{sent} messages");
        drop(client);
    }
}
