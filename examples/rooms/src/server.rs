//! The server: four rooms, the connections of `renet`, and saves.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_replication::{ClientId, Limits, Server};
use renet::{ConnectionConfig, DefaultChannel, RenetServer, ServerEvent};
use renet_netcode::{NetcodeServerTransport, ServerAuthentication, ServerConfig};
use serde::{Deserialize, Serialize};

use crate::cli::Options;
use crate::game::{self, Input, Random, Room};
use crate::net::{Loss, PROTOCOL, RATE, now, socket};

pub const ROOMS: usize = 4;

/// A client with so many refused messages is disconnected.
const MOST_REFUSED: u64 = 20;

/// The content of the save: the rooms in the binary form of the library.
#[derive(Serialize, Deserialize)]
struct Save {
    session: u32,
    frame: u64,
    rooms: Vec<Vec<u8>>,
}

/// A room, and what its clients have of it.
struct Hall {
    room: Room,
    clients: Server<Room, Input>,
}

struct State {
    session: u32,
    frame: u64,
    halls: Vec<Hall>,
}

impl State {
    /// The state of the save, or a new one.
    fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        let (session, frame, rooms) = match fs::read(path) {
            Ok(bytes) => {
                let save: Save = serde_json::from_slice(&bytes)?;
                let rooms = save.rooms.iter().map(|bytes| Room::load(bytes)).collect::<Result<_, _>>()?;
                (save.session + 1, save.frame, rooms)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                (1, 0, (0..ROOMS as u64).map(|seed| Room::new(Random(seed))).collect::<Vec<_>>())
            }
            Err(error) => return Err(error.into()),
        };
        let hall = |room| Hall { room, clients: Server::new(session, Limits::default()) };
        Ok(Self { session, frame, halls: rooms.into_iter().map(hall).collect() })
    }

    /// Writes the save in one step: a server that is killed leaves the old one or the new one.
    fn write(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let rooms = self.halls.iter().map(|hall| hall.room.to_bytes()).collect::<Result<_, _>>()?;
        let save = Save { session: self.session, frame: self.frame, rooms };
        let new = path.with_extension("new");
        fs::write(&new, serde_json::to_vec(&save)?)?;
        fs::rename(&new, path)?;
        Ok(())
    }

    fn hall(&mut self, client: u64) -> &mut Hall {
        &mut self.halls[client as usize % ROOMS]
    }
}

/// Serves until the given tick.
pub fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let address = ([127, 0, 0, 1], options.port).into();
    let socket = socket(address)?;
    let mut connections = RenetServer::new(ConnectionConfig::default());
    let config = ServerConfig {
        current_time: now(),
        max_clients: (options.bots + options.hostile).max(1) as usize,
        protocol_id: PROTOCOL,
        public_addresses: vec![address],
        authentication: ServerAuthentication::Unsecure,
    };
    let mut transport = NetcodeServerTransport::new(config, socket)?;
    let mut state = State::open(&options.save)?;
    state.write(&options.save)?; // the session of this run is not used again
    let mut loss = Loss::new(options.loss, u64::from(state.session));
    println!("server: session {}, from tick {}", state.session, state.frame);
    let (mut sent, mut refused, mut disconnected) = (0, 0_u64, 0_u64);
    let mut refused_of: BTreeMap<u64, u64> = BTreeMap::new();
    let begin = state.frame;
    let step = Duration::from_micros(1_000_000 / RATE);
    let mut due = Instant::now();
    // bots that have received the last tick leave; the others have two more seconds
    while state.frame < options.ticks + 2 * RATE {
        connections.update(step);
        transport.update(step, &mut connections)?;
        while let Some(event) = connections.get_event() {
            match event {
                ServerEvent::ClientConnected { client_id } => {
                    let hall = state.hall(client_id);
                    let is_here = |client| connections.is_connected(client);
                    if game::enter(&mut hall.room, ClientId(client_id), is_here).is_some() {
                        hall.clients.connect(ClientId(client_id));
                    } else {
                        connections.disconnect(client_id);
                    }
                }
                ServerEvent::ClientDisconnected { client_id, .. } => {
                    state.hall(client_id).clients.disconnect(ClientId(client_id));
                    refused_of.remove(&client_id);
                }
            }
        }
        for client in connections.clients_id() {
            let hall = state.hall(client);
            while let Some(message) = connections.receive_message(client, DefaultChannel::Unreliable) {
                match hall.clients.receive(ClientId(client), &message) {
                    Ok(inputs) => {
                        if let Some(player) = game::player(&hall.room, ClientId(client)) {
                            inputs.into_iter().for_each(|input| game::step(&mut hall.room, player, input));
                        }
                    }
                    Err(_) => {
                        refused += 1;
                        *refused_of.entry(client).or_default() += 1;
                    }
                }
            }
            if refused_of.get(&client).is_some_and(|&refused| refused >= MOST_REFUSED) {
                connections.disconnect(client);
                disconnected += 1;
            }
        }
        state.frame += 1;
        for hall in &mut state.halls {
            hall.room.tick();
            for (ClientId(client), message) in
                hall.clients.messages(&mut hall.room, state.frame, game::view)?
            {
                sent += message.len();
                if !loss.loses() {
                    connections.send_message(client, DefaultChannel::Unreliable, message);
                }
            }
        }
        transport.send_packets(&mut connections);
        if state.frame.is_multiple_of(RATE) {
            state.write(&options.save)?;
        }
        if state.frame >= options.ticks && connections.connected_clients() == 0 {
            break;
        }
        due += step;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    state.write(&options.save)?;
    let ticks = (state.frame - begin).max(1);
    let for_each = sent as u64 / ticks / (options.bots + options.hostile).max(1);
    println!("server: {ticks} ticks, {for_each} bytes for each client and tick");
    println!("server: {refused} messages refused, a client was disconnected {disconnected} times");
    let hash = state.halls.iter().map(|hall| hall.room.hash()).collect::<Vec<u64>>();
    println!("hash {:016x}", hash.into_iter().fold(0, |all: u64, hash| all.rotate_left(7) ^ hash));
    Ok(())
}
