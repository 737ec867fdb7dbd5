//! Replication over QUIC: `cargo run --release -p quic -- [CLIENTS] [TICKS]`.
//!
//! A server with `quinn` and clients in one process, over the loopback, with the game of the
//! example `websocket`. A client joins by a token in a stream, which arrives. All else is in
//! datagrams, which may be lost: the messages of replication have what is lost again. QUIC encrypts
//! both, and the certificate proves that it is the server who is sent the token.

#[path = "../../websocket/src/game.rs"]
mod game;
mod net;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::task::Poll;
use std::time::Duration;

use ecs::save::{Replica, Selection};
use ecs_replication::{Client, ClientId, Limits, Server};
use quinn::{ClientConfig, Connection, Endpoint};
use tokio::time::{MissedTickBehavior, interval, timeout};

use game::{Input, RATE, Shown, Sky};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What a client shows to join. A game has one for each player.
const TOKEN: &[u8] = b"secret";

/// The longest datagram, which QUIC puts into a packet of 1,200 bytes.
const DATAGRAM: usize = 1_100;

/// The most datagrams of a client that are read at a time; the others are read next time.
const AT_ONCE: usize = 64;

/// The length of a frame.
fn frame() -> Duration {
    Duration::from_secs(1) / RATE
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let numbers: Result<Vec<u64>, _> = std::env::args().skip(1).map(|text| text.parse()).collect();
    let done = match numbers.as_deref() {
        Ok([]) => run(8, 100).await,
        Ok(&[clients @ 1..=64, ticks]) if ticks > 0 => run(clients, ticks).await,
        _ => Err("usage: quic [CLIENTS TICKS], up to 64 clients".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quic: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays until all clients have a frame of tick `ticks`, or a later one.
async fn run(clients: u64, ticks: u64) -> Result<(), Failure> {
    let (server, config) = net::server(([127, 0, 0, 1], 0).into())?;
    let address = server.local_addr()?;
    let server = tokio::spawn(serve(server, clients));
    let players: Vec<_> = (0..clients).map(|_| tokio::spawn(play(config.clone(), address, ticks))).collect();
    let longest = frame() * ticks as u32 * 2 + Duration::from_secs(20);
    let mut frames = 0;
    let all = async {
        for player in players {
            frames += player.await??;
        }
        server.await?
    };
    let late = |_| format!("a client has not received tick {ticks} in {longest:?}");
    let Sent { bytes, udp, messages } = timeout(longest, all).await.map_err(late)??;
    println!("{clients} clients: {frames} frames were compared by hash");
    println!("{} bytes for each client and tick", bytes / messages.max(1));
    println!("{} bytes with the handshakes, the encryption and the answers of QUIC", udp / messages.max(1));
    Ok(())
}

/// What a server has sent.
#[derive(Default)]
struct Sent {
    /// The bytes of the datagrams.
    bytes: u64,
    /// Those of the packets of QUIC, without the headers of UDP.
    udp: u64,
    /// The number of messages, one for each client and tick.
    messages: u64,
}

/// Serves until so many clients have come and left.
async fn serve(endpoint: Endpoint, clients: u64) -> Result<Sent, Failure> {
    let mut joined = net::accept(endpoint, TOKEN);
    let (mut sky, mut server) = (game::sky(200), Server::new(1, Limits::default()));
    let mut open: BTreeMap<u64, Connection> = BTreeMap::new();
    let (mut tick, mut last, mut sent) = (0, 0, Sent::default());
    let mut pace = interval(frame());
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while last < clients || !open.is_empty() {
        pace.tick().await;
        while let Ok(connection) = joined.try_recv() {
            last += 1;
            open.insert(last, connection);
            server.connect(ClientId(last));
        }
        open.retain(|&client, connection| {
            let stays = hear(&mut server, &mut sky, ClientId(client), connection);
            if !stays {
                sent.udp += connection.stats().udp_tx.bytes;
                server.disconnect(ClientId(client));
            }
            stays
        });
        sky.tick();
        tick += 1;
        sent.messages += open.len() as u64;
        let datagrams = server.datagrams(&mut sky, tick, DATAGRAM, |_, _| Selection::of::<Shown>())?;
        for (ClientId(client), datagram) in datagrams {
            sent.bytes += datagram.len() as u64;
            // a client that takes no datagrams of this length is found to be closed by `hear`
            if let Err(error) = open[&client].send_datagram(datagram.into()) {
                open[&client].close(3u32.into(), error.to_string().as_bytes());
            }
        }
    }
    Ok(sent)
}

/// Reads what has arrived from a client. Returns whether it stays.
fn hear(server: &mut Server<Sky, Input>, sky: &mut Sky, client: ClientId, connection: &Connection) -> bool {
    for _ in 0..AT_ONCE {
        match net::arrived(connection) {
            Poll::Pending => break,
            Poll::Ready(Err(_)) => return false,
            Poll::Ready(Ok(datagram)) => match server.receive(client, &datagram) {
                Ok(inputs) => inputs.into_iter().for_each(|input| game::call(sky, input)),
                // nobody else can write into the connection: the client is broken, or hostile
                Err(error) => {
                    connection.close(2u32.into(), error.to_string().as_bytes());
                    return false;
                }
            },
        }
    }
    true
}

/// A client that plays until it has a frame of tick `ticks`, or a later one. Returns the number of
/// its frames.
async fn play(config: ClientConfig, address: SocketAddr, ticks: u64) -> Result<u64, Failure> {
    let endpoint = net::client(&config)?;
    let connection = net::join(&endpoint, address, TOKEN).await?;
    let (mut sky, mut frames) = (Sky::new(), 0);
    let mut client = Client::<Sky, Input>::new::<Shown>(Replica::new().entities(10_000), 1 << 20);
    while client.frame() < ticks {
        // a part of a message, or the last one
        if client.receive(&mut sky, &connection.read_datagram().await?)? {
            frames += 1;
            if frames == 10 {
                client.input(Input::Call { x: 7, y: -120 });
            }
            connection.send_datagram(client.message()?.into())?;
        }
    }
    connection.close(0u32.into(), b"");
    // the server is told
    endpoint.wait_idle().await;
    Ok(frames)
}

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;

    use quinn::ConnectionError;

    use super::*;

    /// Whether a server closes a connection, and does not only lose it.
    async fn is_closed(connection: &Connection) -> bool {
        let closed = timeout(Duration::from_secs(10), connection.closed()).await;
        matches!(closed, Ok(ConnectionError::ApplicationClosed(_)))
    }

    #[tokio::test]
    async fn hostile_connections_end_alone() {
        let (server, config) = net::server(([127, 0, 0, 1], 0).into()).unwrap();
        let client = net::client(&config).unwrap();
        let address = server.local_addr().unwrap();
        let server = tokio::spawn(serve(server, 2));
        let player = tokio::spawn(play(config, address, 60));
        // no QUIC
        let other = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
        other.send_to(b"hello, is this a server?", address).unwrap();
        // nothing but a connection, which is closed after a while
        let silent = client.connect(address, "localhost").unwrap().await.unwrap();
        // another token, and one that is too long
        for token in [&b"guess"[..], &[b's'; 1000]] {
            assert!(net::join(&client, address, token).await.is_err());
        }
        // one that joins and sends no message
        let hostile = net::join(&client, address, TOKEN).await.unwrap();
        hostile.send_datagram(vec![7; 100].into()).unwrap();
        assert!(is_closed(&hostile).await && is_closed(&silent).await);
        assert!(player.await.unwrap().unwrap() > 30);
        assert!(server.await.unwrap().unwrap().messages > 50);
    }

    #[tokio::test]
    async fn a_server_with_another_certificate_is_not_joined() {
        let [(server, _), (_, other)] = [(); 2].map(|()| net::server(([127, 0, 0, 1], 0).into()).unwrap());
        let address = server.local_addr().unwrap();
        let _serves = tokio::spawn(serve(server, 1));
        let client = net::client(&other).unwrap();
        assert!(net::join(&client, address, TOKEN).await.is_err());
    }
}
