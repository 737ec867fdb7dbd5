//! This library: the components as they are, and in a few bits.

use std::marker::PhantomData;

use ecs::prelude::*;
use ecs::save::{ComponentList, Replica, Selection};
use ecs_replication::{Client, ClientId, Limits, Quantity, Server, Wire, quantize};
use serde::{Deserialize, Serialize};

use crate::scene::Mover;
use crate::{DATAGRAM, Datagram, Peer, Size, TICK};

#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Number(u16);
#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Place {
    x: f32,
    y: f32,
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq)]
pub(crate) struct Health(u16);
quantize! { Place { x: Quantity::bits(16, -100.0, 100.0), y: Quantity::bits(16, -100.0, 100.0) } }

world! { #[derive(Clone)] pub(crate) struct Game { components { Number, Place, Health } } }

pub(crate) type Plain = (Number, Place, Health);
pub(crate) type Quantized = (Number, Wire<Place>, Health);

/// A server and its clients, which are sent the components `C`.
pub(crate) struct Ours<C> {
    game: Game,
    entities: Vec<Entity>,
    server: Server<Game, ()>,
    clients: Vec<(Client<Game, ()>, Game)>,
    shown: PhantomData<C>,
}

impl<C: ComponentList<Game>> Ours<C> {
    /// `budget` is that of a client in a second, in bytes.
    pub(crate) fn new(Size { clients, entities }: Size, budget: Option<u32>) -> Self {
        let mut game = Game::new();
        let spawn = |number| game.spawn((Number(number as u16), Place { x: 0.0, y: 0.0 }, Health(0)));
        let entities = (0..entities).map(spawn).collect();
        let mut server = Server::new(1, Limits::default());
        for client in (0..clients as u64).map(ClientId) {
            server.connect(client);
            server.set_budget(client, budget.map(|budget| (f64::from(budget) * TICK.as_secs_f64()) as usize));
        }
        let client = |_| (Client::new::<C>(Replica::new(), 1 << 20), Game::new());
        Self { game, entities, server, clients: (0..clients).map(client).collect(), shown: PhantomData }
    }
}

impl<C: ComponentList<Game>> Peer for Ours<C> {
    fn serve(&mut self, tick: u64, movers: &[Mover], received: Vec<Datagram>) -> Vec<Datagram> {
        for (client, bytes) in received {
            self.server.receive(ClientId(client as u64), &bytes).expect("a message of a client");
        }
        for (&entity, &Mover { place: [x, y], health }) in self.entities.iter().zip(movers) {
            *self.game.get_mut::<Place>(entity).expect("it lives") = Place { x, y };
            if self.game.get::<Health>(entity) != Some(&Health(health)) {
                self.game.get_mut::<Health>(entity).expect("it lives").0 = health;
            }
        }
        let sent = self.server.datagrams(&mut self.game, tick, DATAGRAM, |_, _| Selection::of::<C>());
        let sent = sent.expect("all values can be written");
        sent.into_iter().map(|(client, bytes)| (client.0 as usize, bytes)).collect()
    }

    fn answer(&mut self, client: usize, received: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let (client, game) = &mut self.clients[client];
        for bytes in received {
            client.receive(game, &bytes).expect("a message of the server");
        }
        vec![client.message().expect("a message")]
    }

    fn seen(&mut self, client: usize, each: &mut dyn FnMut(usize, [f32; 2])) {
        let (_, game) = &self.clients[client];
        for (number, place) in game.query::<(&Number, &Place)>().into_query().iter() {
            each(usize::from(number.0), [place.x, place.y]);
        }
    }
}
