//! `naia` over sockets in memory, with worlds of bevy_ecs.
//!
//! Its settings: bandwidth without a limit, or that of its defaults; packets are read at once,
//! without a jitter buffer; one room of all users and entities; one property for each component.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::Arc;

use naia_bevy_shared::bevy_ecs::component::{Component, Mutable, StorageType};
use naia_bevy_shared::bevy_ecs::entity::Entity;
use naia_bevy_shared::bevy_ecs::world::World;
use naia_bevy_shared::{Message, Property, Protocol, Replicate, Serde, WorldProxy, WorldProxyMut};
use naia_client::transport as client_side;
use naia_client::{Client, ClientConfig, JitterBufferType};
use naia_server::transport as server_side;
use naia_server::{ConnectEvent, RoomKey, Server, ServerConfig};
use naia_shared::{IdentityToken, Instant, ReplicatedComponent, TestClock};
use parking_lot::Mutex;

use crate::scene::{EDGE, Mover};
use crate::{Datagram, Peer, Size, TICK};

#[derive(Message)]
struct Hello;

#[derive(Replicate)]
struct Number {
    number: Property<u16>,
}
#[derive(Replicate)]
pub(crate) struct Place {
    axes: Property<Axes>,
}
#[derive(Replicate)]
pub(crate) struct QuantizedPlace {
    codes: Property<Codes>,
}
#[derive(Replicate)]
struct Health {
    points: Property<u16>,
}

#[derive(Serde, PartialEq, Clone)]
struct Axes {
    x: f32,
    y: f32,
}
#[derive(Serde, PartialEq, Clone)]
struct Codes {
    x: u16,
    y: u16,
}

// the derive of bevy_ecs would name that of the other peers
macro_rules! components {
    ($($of:ty)*) => {$(
        impl Component for $of {
            const STORAGE_TYPE: StorageType = StorageType::Table;
            type Mutability = Mutable;
        }
    )*};
}
components! { Number Place QuantizedPlace Health }

/// How a place is sent.
pub(crate) trait Form: 'static {
    type Place: Component<Mutability = Mutable> + ReplicatedComponent;

    fn new(place: [f32; 2]) -> Self::Place;
    fn set(of: &mut Self::Place, place: [f32; 2]);
    fn get(of: &Self::Place) -> [f32; 2];
}

pub(crate) struct Plain;
pub(crate) struct Quantized;

impl Form for Plain {
    type Place = Place;

    fn new([x, y]: [f32; 2]) -> Place {
        Place::new_complete(Axes { x, y })
    }

    fn set(of: &mut Place, [x, y]: [f32; 2]) {
        *of.axes = Axes { x, y };
    }

    fn get(of: &Place) -> [f32; 2] {
        [of.axes.x, of.axes.y]
    }
}

/// The greatest code of a coordinate, and the step.
const CODES: f32 = 65_534.0;
const STEP: f32 = 2.0 * EDGE / CODES;

fn codes(place: [f32; 2]) -> Codes {
    let [x, y] = place.map(|axis| ((axis + EDGE) / STEP).round().clamp(0.0, CODES) as u16);
    Codes { x, y }
}

impl Form for Quantized {
    type Place = QuantizedPlace;

    fn new(place: [f32; 2]) -> QuantizedPlace {
        QuantizedPlace::new_complete(codes(place))
    }

    fn set(of: &mut QuantizedPlace, place: [f32; 2]) {
        *of.codes = codes(place);
    }

    fn get(of: &QuantizedPlace) -> [f32; 2] {
        [of.codes.x, of.codes.y].map(|code| f32::from(code) * STEP - EDGE)
    }
}

/// The datagrams and handshakes that are under way.
#[derive(Default)]
struct Queues {
    to_server: VecDeque<(SocketAddr, Vec<u8>)>,
    to_clients: Vec<(SocketAddr, Vec<u8>)>,
    asks: VecDeque<(SocketAddr, Vec<u8>)>,
    accepted: BTreeMap<SocketAddr, IdentityToken>,
}

type Shared = Arc<Mutex<Queues>>;

/// The address of a client.
fn address(client: usize) -> SocketAddr {
    ([127, 0, 0, 1], 10_000 + client as u16).into()
}

fn server_address() -> SocketAddr {
    ([127, 0, 0, 1], 9_999).into()
}

/// The socket of the server, and what is made of it.
#[derive(Clone)]
struct ServerSocket {
    queues: Shared,
    last: Vec<u8>,
    /// Whether it is that of handshakes.
    asks: bool,
}

impl From<ServerSocket> for Box<dyn server_side::Socket> {
    fn from(socket: ServerSocket) -> Self {
        Box::new(socket)
    }
}

impl server_side::Socket for ServerSocket {
    fn listen(self: Box<Self>) -> server_side::ListenResult {
        let asks = Self { asks: true, ..(*self).clone() };
        (Box::new(asks.clone()), Box::new(asks), self.clone(), self)
    }
}

impl ServerSocket {
    fn next(&mut self) -> Option<(SocketAddr, &[u8])> {
        let mut queues = self.queues.lock();
        let queue = if self.asks { &mut queues.asks } else { &mut queues.to_server };
        let (from, bytes) = queue.pop_front()?;
        self.last = bytes;
        Some((from, &self.last))
    }
}

impl server_side::PacketSender for ServerSocket {
    fn send(&self, address: &SocketAddr, payload: &[u8]) -> Result<(), server_side::SendError> {
        self.queues.lock().to_clients.push((*address, payload.to_vec()));
        Ok(())
    }
}

impl server_side::PacketReceiver for ServerSocket {
    fn receive(&mut self) -> Result<Option<(SocketAddr, &[u8])>, server_side::RecvError> {
        Ok(self.next())
    }
}

impl server_side::AuthReceiver for ServerSocket {
    fn receive(&mut self) -> Result<Option<(SocketAddr, &[u8])>, server_side::RecvError> {
        Ok(self.next())
    }
}

impl server_side::AuthSender for ServerSocket {
    fn accept(&self, address: &SocketAddr, token: &IdentityToken) -> Result<(), server_side::SendError> {
        self.queues.lock().accepted.insert(*address, token.clone());
        Ok(())
    }

    fn reject(&self, _: &SocketAddr) -> Result<(), server_side::SendError> {
        Err(server_side::SendError)
    }
}

/// The socket of a client, and what is made of it.
#[derive(Clone)]
struct ClientSocket {
    address: SocketAddr,
    queues: Shared,
    /// The datagrams that have arrived.
    arrived: Arc<Mutex<VecDeque<Vec<u8>>>>,
    sent: Arc<Mutex<Vec<Vec<u8>>>>,
    last: Vec<u8>,
}

impl From<ClientSocket> for Box<dyn client_side::Socket> {
    fn from(socket: ClientSocket) -> Self {
        Box::new(socket)
    }
}

type Parts = (
    Box<dyn client_side::IdentityReceiver>,
    Box<dyn client_side::PacketSender>,
    Box<dyn client_side::PacketReceiver>,
);

impl client_side::Socket for ClientSocket {
    fn connect(self: Box<Self>) -> Parts {
        self.connect_with_auth(Vec::new())
    }

    fn connect_with_auth(self: Box<Self>, auth_bytes: Vec<u8>) -> Parts {
        self.queues.lock().asks.push_back((self.address, auth_bytes));
        (self.clone(), self.clone(), self)
    }

    fn connect_with_auth_headers(self: Box<Self>, _: Vec<(String, String)>) -> Parts {
        self.connect()
    }

    fn connect_with_auth_and_headers(
        self: Box<Self>,
        auth_bytes: Vec<u8>,
        _: Vec<(String, String)>,
    ) -> Parts {
        self.connect_with_auth(auth_bytes)
    }
}

impl client_side::IdentityReceiver for ClientSocket {
    fn receive(&mut self) -> client_side::IdentityReceiverResult {
        let queues = self.queues.lock();
        let waiting = client_side::IdentityReceiverResult::Waiting;
        let token = queues.accepted.get(&self.address).cloned();
        token.map_or(waiting, client_side::IdentityReceiverResult::Success)
    }
}

impl client_side::PacketSender for ClientSocket {
    fn send(&self, payload: &[u8]) -> Result<(), client_side::SendError> {
        self.sent.lock().push(payload.to_vec());
        Ok(())
    }

    fn server_addr(&self) -> client_side::ServerAddr {
        client_side::ServerAddr::Found(server_address())
    }
}

impl client_side::PacketReceiver for ClientSocket {
    fn receive(&mut self) -> Result<Option<&[u8]>, client_side::RecvError> {
        let Some(bytes) = self.arrived.lock().pop_front() else { return Ok(None) };
        self.last = bytes;
        Ok(Some(&self.last))
    }

    fn server_addr(&self) -> client_side::ServerAddr {
        client_side::ServerAddr::Found(server_address())
    }
}

/// A client.
struct Player {
    client: Client<Entity>,
    world: World,
    socket: ClientSocket,
}

/// A server and its clients.
pub(crate) struct Naia<F: Form> {
    server: Server<Entity>,
    world: World,
    room: RoomKey,
    entities: Vec<Entity>,
    queues: Shared,
    players: Vec<Player>,
    form: std::marker::PhantomData<F>,
}

/// The components, and a world for them.
fn protocol<F: Form>() -> (naia_shared::Protocol, World) {
    let mut protocol = Protocol::builder();
    protocol
        .tick_interval(TICK_LENGTH)
        .add_default_channels()
        .add_message::<Hello>()
        .add_component::<Number>()
        .add_component::<F::Place>()
        .add_component::<Health>();
    let mut world = World::new();
    world.insert_resource(protocol.take_world_data());
    (protocol.into(), world)
}

/// Its clock has milliseconds.
const TICK_LENGTH: std::time::Duration = std::time::Duration::from_millis(TICK.as_millis() as u64);

impl<F: Form> Naia<F> {
    /// `budget` is that of a client in a second, in bytes.
    pub(crate) fn new(size: Size, budget: Option<u32>) -> Self {
        TestClock::init(0);
        let queues = Shared::default();
        let (protocol, mut world) = self::protocol::<F>();
        let mut config = ServerConfig::default();
        config.connection.bandwidth.target_bytes_per_sec = budget.unwrap_or(u32::MAX);
        let mut server = Server::new(config, protocol);
        server.listen(ServerSocket { queues: Arc::clone(&queues), last: Vec::new(), asks: false });
        let room = server.create_room().key();
        let mut entities = Vec::new();
        for number in 0..size.entities {
            let mut entity = server.spawn_entity(world.proxy_mut());
            entity
                .insert_component(Number::new_complete(number as u16))
                .insert_component(F::new([0.0; 2]))
                .insert_component(Health::new_complete(0));
            let id = entity.id();
            server.room_mut(&room).add_entity(&id);
            entities.push(id);
        }
        let player = |client| {
            let (protocol, world) = self::protocol::<F>();
            let config = ClientConfig { jitter_buffer: JitterBufferType::Bypass, ..ClientConfig::default() };
            let mut naia = Client::new(config, protocol);
            let socket = ClientSocket {
                address: address(client),
                queues: Arc::clone(&queues),
                arrived: Arc::default(),
                sent: Arc::default(),
                last: Vec::new(),
            };
            naia.auth(Hello);
            naia.connect(socket.clone());
            Player { client: naia, world, socket }
        };
        let players = (0..size.clients).map(player).collect();
        Self { server, world, room, entities, queues, players, form: std::marker::PhantomData }
    }
}

impl<F: Form> Peer for Naia<F> {
    fn serve(&mut self, _: u64, movers: &[Mover], received: Vec<Datagram>) -> Vec<Datagram> {
        let Self { server, world, room, entities, queues, .. } = self;
        TestClock::advance(TICK_LENGTH.as_millis() as u64);
        let now = Instant::now();
        queues.lock().to_server.extend(received.into_iter().map(|(client, bytes)| (address(client), bytes)));
        server.receive_all_packets();
        server.process_all_packets(world.proxy_mut(), &now);
        let mut events = server.take_world_events();
        for (_, auths) in events.take_auths() {
            auths.iter().for_each(|(user, _)| server.accept_connection(user));
        }
        for user in events.read::<ConnectEvent>() {
            server.room_mut(room).add_user(&user);
        }
        let _ = server.take_tick_events(&now);
        for (&entity, &Mover { place, health }) in entities.iter().zip(movers) {
            F::set(&mut world.get_mut::<F::Place>(entity).expect("it lives"), place);
            if *world.get::<Health>(entity).expect("it lives").points != health {
                *world.get_mut::<Health>(entity).expect("it lives").points = health;
            }
        }
        server.send_all_packets(world.proxy());
        let sent = std::mem::take(&mut queues.lock().to_clients);
        sent.into_iter().map(|(to, bytes)| (usize::from(to.port()) - 10_000, bytes)).collect()
    }

    fn answer(&mut self, client: usize, received: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let Player { client, world, socket } = &mut self.players[client];
        let now = Instant::now();
        socket.arrived.lock().extend(received);
        client.receive_all_packets();
        // it reads what has arrived, so that it is processed in this tick
        let _ = client.take_tick_events(&now);
        client.process_all_packets(world.proxy_mut(), &now);
        let _ = client.take_world_events();
        client.send_all_packets(world.proxy());
        std::mem::take(&mut socket.sent.lock())
    }

    fn seen(&mut self, client: usize, each: &mut dyn FnMut(usize, [f32; 2])) {
        let world = &mut self.players[client].world;
        for (number, place) in world.query::<(&Number, &F::Place)>().iter(world) {
            each(usize::from(*number.number), F::get(place));
        }
    }
}
