//! `bevy_replicon` over renet, whose packets go over the link. Each client is an app.
//!
//! Its settings: a tick in each update, messages that fit into a packet, the ids of entities by the
//! default, and quantized components of as many bytes as this library's.

use std::time::Duration;

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy::time::TimeUpdateStrategy;
use bevy_replicon::prelude::*;
use renet::{ChannelConfig, ConnectionConfig, RenetClient, RenetServer, SendType};
use serde::{Deserialize, Serialize};

use crate::scene::{EDGE, Mover};
use crate::{DATAGRAM, Datagram, Peer, Size, TICK};

#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Number(pub(crate) u16);
#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Place(pub(crate) [f32; 2]);
#[derive(Component, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Health(pub(crate) u16);

/// A place in 4 bytes, as this library's: postcard would write a `u16` in up to 3.
#[derive(Serialize, Deserialize)]
struct PlaceBytes([u8; 4]);

/// The codes of the coordinates, and their step.
const CODES: f32 = 65_534.0;
const STEP: f32 = 2.0 * EDGE / CODES;

impl From<Place> for PlaceBytes {
    fn from(Place(axes): Place) -> Self {
        let [x, y] = axes.map(|axis| (((axis + EDGE) / STEP).round().clamp(0.0, CODES) as u16).to_le_bytes());
        Self([x[0], x[1], y[0], y[1]])
    }
}

impl From<PlaceBytes> for Place {
    fn from(PlaceBytes([a, b, c, d]): PlaceBytes) -> Self {
        Self([[a, b], [c, d]].map(|axis| f32::from(u16::from_le_bytes(axis)) * STEP - EDGE))
    }
}

/// Adds the components. A health below 500 has at most two bytes by postcard as it is.
pub(crate) fn replicate(app: &mut App, is_quantized: bool) {
    app.replicate_once::<Number>();
    if is_quantized {
        app.replicate_as::<Place, PlaceBytes>();
    } else {
        app.replicate::<Place>();
    }
    app.replicate::<Health>();
}

/// Moves the entities.
pub(crate) fn advance(world: &mut World, entities: &[Entity], movers: &[Mover]) {
    for (&entity, &Mover { place, health }) in entities.iter().zip(movers) {
        let (mut seen, mut points) = world.get_entity_mut(entity).expect("it lives").into_mutable_parts();
        seen.0 = place;
        points.set_if_neq(Health(health));
    }
}

trait MutableParts<'w> {
    fn into_mutable_parts(self) -> (Mut<'w, Place>, Mut<'w, Health>);
}

impl<'w> MutableParts<'w> for EntityWorldMut<'w> {
    fn into_mutable_parts(self) -> (Mut<'w, Place>, Mut<'w, Health>) {
        self.into_components_mut::<(&mut Place, &mut Health)>().expect("it has both")
    }
}

/// Calls `each` with what a client has.
pub(crate) fn seen(world: &mut World, each: &mut dyn FnMut(usize, [f32; 2])) {
    for (number, place) in world.query::<(&Number, &Place)>().iter(world) {
        each(usize::from(number.0), place.0);
    }
}

/// A server and its clients.
pub(crate) struct Replicon {
    app: App,
    entities: Vec<Entity>,
    net: RenetServer,
    /// The entities of the clients at the server.
    connected: EntityHashMap<usize>,
    clients: Vec<(App, RenetClient)>,
}

fn app(is_quantized: bool) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, StatesPlugin, RepliconPlugins.set(ServerPlugin::new(PostUpdate))))
        .insert_resource(TimeUpdateStrategy::ManualDuration(TICK));
    replicate(&mut app, is_quantized);
    app.finish();
    app.cleanup();
    app
}

/// The channels of renet for those of replicon.
fn channels(channels: &[Channel]) -> Vec<ChannelConfig> {
    let resend_time = Duration::from_millis(300);
    let of = |(id, channel): (usize, &Channel)| ChannelConfig {
        channel_id: id as u8,
        max_memory_usage_bytes: 64 << 20,
        send_type: match channel {
            Channel::Unreliable => SendType::Unreliable,
            Channel::Unordered => SendType::ReliableUnordered { resend_time },
            Channel::Ordered => SendType::ReliableOrdered { resend_time },
        },
    };
    channels.iter().enumerate().map(of).collect()
}

impl Replicon {
    pub(crate) fn new(size: Size, is_quantized: bool) -> Self {
        let mut app = app(is_quantized);
        let all = app.world().resource::<RepliconChannels>();
        let config = ConnectionConfig {
            available_bytes_per_tick: 1 << 24,
            server_channels_config: channels(all.server_channels()),
            client_channels_config: channels(all.client_channels()),
        };
        let mut net = RenetServer::new(config.clone());
        app.world_mut().resource_mut::<NextState<ServerState>>().set(ServerState::Running);
        app.update();
        let world = app.world_mut();
        let spawn =
            |number| world.spawn((Replicated, Number(number as u16), Place([0.0; 2]), Health(0))).id();
        let entities = (0..size.entities).map(spawn).collect();
        let (mut connected, mut clients) = (EntityHashMap::default(), Vec::new());
        for client in 0..size.clients {
            net.add_connection(client as u64);
            connected.insert(world.spawn(ConnectedClient { max_size: DATAGRAM }).id(), client);
            let (mut app, mut net) = (self::app(is_quantized), RenetClient::new(config.clone()));
            net.set_connected();
            app.world_mut().resource_mut::<NextState<ClientState>>().set(ClientState::Connected);
            clients.push((app, net));
        }
        Self { app, entities, net, connected, clients }
    }
}

impl Peer for Replicon {
    fn serve(&mut self, _: u64, movers: &[Mover], received: Vec<Datagram>) -> Vec<Datagram> {
        let Self { app, entities, net, connected, .. } = self;
        advance(app.world_mut(), entities, movers);
        net.update(TICK);
        for (client, bytes) in received {
            net.process_packet_from(&bytes, client as u64).expect("a client");
        }
        let channels = app.world().resource::<RepliconChannels>().client_channels().len();
        let mut messages = app.world_mut().resource_mut::<ServerMessages>();
        for (&entity, &client) in &*connected {
            for channel in 0..channels {
                while let Some(message) = net.receive_message(client as u64, channel as u8) {
                    messages.insert_received(entity, channel, message);
                }
            }
        }
        app.update();
        for (entity, channel, message) in app.world_mut().resource_mut::<ServerMessages>().drain_sent() {
            net.send_message(connected[&entity] as u64, channel as u8, message);
        }
        let sent = (0..connected.len()).flat_map(|client| {
            let packets = net.get_packets_to_send(client as u64).expect("a client");
            packets.into_iter().map(move |bytes| (client, bytes))
        });
        sent.collect()
    }

    fn answer(&mut self, client: usize, received: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let (app, net) = &mut self.clients[client];
        net.update(TICK);
        received.iter().for_each(|bytes| net.process_packet(bytes));
        let channels = app.world().resource::<RepliconChannels>().server_channels().len();
        let mut messages = app.world_mut().resource_mut::<ClientMessages>();
        for channel in 0..channels {
            while let Some(message) = net.receive_message(channel as u8) {
                messages.insert_received(channel, message);
            }
        }
        app.update();
        for (channel, message) in app.world_mut().resource_mut::<ClientMessages>().drain_sent() {
            net.send_message(channel as u8, message);
        }
        assert!(!net.is_disconnected(), "{:?}", net.disconnect_reason());
        net.get_packets_to_send()
    }

    fn seen(&mut self, client: usize, each: &mut dyn FnMut(usize, [f32; 2])) {
        seen(self.clients[client].0.world_mut(), each);
    }
}
