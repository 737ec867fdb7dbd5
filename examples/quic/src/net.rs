//! The endpoints, and how a client joins.

use std::net::SocketAddr;
use std::ops::Deref;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use ecs_replication::same_token;
use quinn::rustls::RootCertStore;
use quinn::rustls::pki_types::PrivatePkcs8KeyDer;
use quinn::{ClientConfig, Connection, ConnectionError, Endpoint, Incoming, ServerConfig, TransportConfig};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::timeout;

use crate::Failure;

/// The most connections.
const MOST: usize = 1_000;

/// The time in which a connection joins.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// The longest token and the longest answer.
const SHORT: usize = 64;

/// A server at an address, and the settings of clients that trust it alone: its certificate is made
/// here.
pub fn server(address: SocketAddr) -> Result<(Endpoint, ClientConfig), Failure> {
    let rcgen::CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
    let key = PrivatePkcs8KeyDer::from(signing_key.serialize_der());
    let mut config = ServerConfig::with_single_cert(vec![cert.der().clone()], key.into())?;
    // a client opens one stream, and what it sends waits in so many bytes
    let mut transport = TransportConfig::default();
    transport
        .max_concurrent_bidi_streams(1u32.into())
        .max_concurrent_uni_streams(0u32.into())
        .datagram_receive_buffer_size(Some(1 << 16))
        // states that a slow line has no room for are dropped, and not sent late
        .datagram_send_buffer_size(1 << 16);
    config.transport_config(Arc::new(transport));
    let mut roots = RootCertStore::empty();
    roots.add(cert.der().clone())?;
    Ok((Endpoint::server(config, address)?, ClientConfig::with_root_certificates(Arc::new(roots))?))
}

/// A client with a socket of its own.
pub fn client(config: &ClientConfig) -> Result<Endpoint, Failure> {
    let mut client = Endpoint::client(([127, 0, 0, 1], 0).into())?;
    client.set_default_client_config(config.clone());
    Ok(client)
}

/// Joins a server.
pub async fn join(endpoint: &Endpoint, address: SocketAddr, token: &[u8]) -> Result<Connection, Failure> {
    let connection = endpoint.connect(address, "localhost")?.await?;
    let (mut ask, mut answer) = connection.open_bi().await?;
    ask.write_all(token).await?;
    ask.finish()?;
    answer.read_to_end(SHORT).await?;
    Ok(connection)
}

/// Accepts connections while the receiver lives, which gets those that have joined. Each handshake
/// has a task of its own, so that none is waited for.
pub fn accept(endpoint: Endpoint, token: &'static [u8]) -> Receiver<Connection> {
    let (joined, connections) = channel(MOST);
    tokio::spawn(async move {
        while let Some(incoming) = endpoint.accept().await {
            if joined.is_closed() {
                break;
            }
            if endpoint.open_connections() > MOST {
                incoming.refuse();
                continue;
            }
            let joined = joined.clone();
            tokio::spawn(async move {
                // a connection that is dropped is closed
                if let Ok(Ok(connection)) = timeout(HANDSHAKE, welcome(incoming, token)).await {
                    let _ = joined.send(connection).await;
                }
            });
        }
    });
    connections
}

/// Asks a connection for the token.
async fn welcome(incoming: Incoming, token: &[u8]) -> Result<Connection, Failure> {
    let connection = incoming.await?;
    let (mut answer, mut ask) = connection.accept_bi().await?;
    if !same_token(&ask.read_to_end(SHORT).await?, token) {
        connection.close(1u32.into(), b"another token");
        return Err("another token".into());
    }
    answer.write_all(b"welcome").await?;
    answer.finish()?;
    Ok(connection)
}

/// A datagram that has arrived, without waiting for one.
pub fn arrived(connection: &Connection) -> Poll<Result<impl Deref<Target = [u8]>, ConnectionError>> {
    pin!(connection.read_datagram()).poll(&mut Context::from_waker(Waker::noop()))
}
