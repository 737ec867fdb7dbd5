//! `lightyear`, whose replication is that of `bevy_replicon` and whose packets go over the link.
//!
//! Its settings: neither prediction nor interpolation, since with them it sends a message in each
//! tick even if nothing has changed; raw connections without the encryption of netcode; bandwidth
//! without a limit; a tick of replication in each update.

use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy::time::TimeUpdateStrategy;
use bytes::BytesMut;
use lightyear::prelude::client::{Client, ClientPlugins, RawClient};
use lightyear::prelude::server::{RawServer, ServerPlugins};
use lightyear::prelude::{
    Link, LinkOf, Linked, LocalAddr, NetworkTarget, PeerAddr, PingConfig, PingManager, Replicate,
    ReplicationReceiver, ReplicationSender,
};
use mock_instant::global::MockClock;

use crate::replicon::{self, Health, Number, Place};
use crate::scene::Mover;
use crate::{Datagram, Peer, Size, TICK};

/// A server and its clients.
pub(crate) struct Lightyear {
    app: App,
    entities: Vec<Entity>,
    /// The entities of the clients at the server.
    links: Vec<Entity>,
    /// Each with the entity of its link.
    clients: Vec<(App, Entity)>,
}

fn app(plugins: impl PluginGroup, is_quantized: bool) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, StatesPlugin))
        .add_plugins(plugins)
        .insert_resource(TimeUpdateStrategy::ManualDuration(TICK));
    replicon::replicate(&mut app, is_quantized);
    app.finish();
    app.cleanup();
    app
}

fn address(client: usize) -> std::net::SocketAddr {
    ([127, 0, 0, 1], 10_000 + client as u16).into()
}

impl Lightyear {
    pub(crate) fn new(size: Size, is_quantized: bool) -> Self {
        let mut app = self::app(ServerPlugins { tick_duration: TICK }, is_quantized);
        let world = app.world_mut();
        let server = world.spawn((RawServer, Linked)).id();
        world.flush();
        let pings = || PingManager::new(PingConfig::default());
        let link = |client| {
            let link = (LinkOf { server }, Link::default(), PeerAddr(address(client)));
            world.spawn((link, Linked, pings(), ReplicationSender)).id()
        };
        let links = (0..size.clients).map(link).collect();
        app.update();
        let world = app.world_mut();
        let spawn = |number| {
            let to_all = Replicate::to_clients(NetworkTarget::All);
            world.spawn((to_all, Number(number as u16), Place([0.0; 2]), Health(0))).id()
        };
        let entities = (0..size.entities).map(spawn).collect();
        let client = |client| {
            let mut app = self::app(ClientPlugins { tick_duration: TICK }, is_quantized);
            let addresses = (LocalAddr(address(client)), PeerAddr(address(usize::from(u16::MAX) - 10_000)));
            let link = (Client::default(), RawClient, addresses, pings(), ReplicationReceiver);
            let link = app.world_mut().spawn(link).id();
            app.world_mut().entity_mut(link).insert(Linked);
            app.world_mut().flush();
            (app, link)
        };
        let clients = (0..size.clients).map(client).collect();
        Self { app, entities, links, clients }
    }
}

/// Gives a link what has arrived.
fn receive(app: &mut App, link: Entity, bytes: &[u8]) {
    let mut link = app.world_mut().get_mut::<Link>(link).expect("the link lives");
    link.recv.push_raw(BytesMut::from(bytes));
}

/// Takes what a link sends.
fn sent(app: &mut App, link: Entity) -> Vec<Vec<u8>> {
    let mut link = app.world_mut().get_mut::<Link>(link).expect("the link lives");
    link.send.drain().map(|bytes| bytes.to_vec()).collect()
}

impl Peer for Lightyear {
    fn serve(&mut self, _: u64, movers: &[Mover], received: Vec<Datagram>) -> Vec<Datagram> {
        let Self { app, entities, links, .. } = self;
        MockClock::advance(TICK);
        replicon::advance(app.world_mut(), entities, movers);
        received.iter().for_each(|(client, bytes)| receive(app, links[*client], bytes));
        app.update();
        let each = |(client, &link): (usize, &Entity)| {
            sent(app, link).into_iter().map(move |bytes| (client, bytes)).collect::<Vec<_>>()
        };
        links.iter().enumerate().flat_map(each).collect()
    }

    fn answer(&mut self, client: usize, received: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let (app, link) = &mut self.clients[client];
        received.iter().for_each(|bytes| receive(app, *link, bytes));
        app.update();
        sent(app, *link)
    }

    fn seen(&mut self, client: usize, each: &mut dyn FnMut(usize, [f32; 2])) {
        replicon::seen(self.clients[client].0.world_mut(), each);
    }
}
