//! Bots: each has a connection, a copy of what it sees, and walks towards the nearest coin. A
//! hostile bot walks further than it may, and most of its messages are not what a client should
//! send.

use std::error::Error;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs::save::Replica;
use ecs_replication::Client;
use renet::{ConnectionConfig, DefaultChannel, RenetClient};
use renet_netcode::{ClientAuthentication, NetcodeClientTransport};

use crate::cli::Options;
use crate::game::{Coin, Input, Place, Player, Purse, Random, Room, Shown};
use crate::net::{Loss, PROTOCOL, RATE, now, socket};

/// The time without a message after which a bot connects again.
const SILENCE: Duration = Duration::from_secs(1);

struct Bot {
    number: u64,
    /// The first message that it sent, if it is hostile.
    hostile: Option<Vec<u8>>,
    server: SocketAddr,
    connection: RenetClient,
    transport: NetcodeClientTransport,
    heard: Instant,
    copy: Room,
    client: Client<Room, Input>,
    random: Random,
    loss: Loss,
    /// The states that were compared with the server's by hash.
    checked: u64,
    connections: u64,
    coins: u32,
}

/// The results of all bots.
#[derive(Default, Debug)]
pub struct Summary {
    /// The last tick that all bots have received.
    pub frame: u64,
    pub checked: u64,
    /// The connections that were made after the first ones.
    pub reconnected: u64,
    pub coins: u32,
}

fn connect(number: u64, server: SocketAddr) -> Result<NetcodeClientTransport, Box<dyn Error>> {
    let authentication = ClientAuthentication::Unsecure {
        protocol_id: PROTOCOL,
        client_id: number,
        server_addr: server,
        user_data: None,
    };
    Ok(NetcodeClientTransport::new(now(), authentication, socket(([127, 0, 0, 1], 0).into())?)?)
}

impl Bot {
    fn new(number: u64, server: SocketAddr, options: &Options) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            number,
            hostile: (number > options.bots).then(Vec::new),
            server,
            connection: RenetClient::new(ConnectionConfig::default()),
            transport: connect(number, server)?,
            heard: Instant::now(),
            copy: Room::new(Random(0)),
            client: Client::new::<Shown>(Replica::new().entities(1_000), 1 << 20),
            random: Random(number),
            loss: Loss::new(options.loss, number),
            checked: 0,
            connections: 1,
            coins: 0,
        })
    }

    fn tick(&mut self, step: Duration) -> Result<(), Box<dyn Error>> {
        self.connection.update(step);
        // a server that is gone is no reason to end
        let reached = self.transport.update(step, &mut self.connection).is_ok();
        while let Some(message) = self.connection.receive_message(DefaultChannel::Unreliable) {
            self.heard = Instant::now();
            match self.client.receive(&mut self.copy, &message) {
                Ok(false) => {}
                Ok(_) => self.checked += 1,
                // the server has not heard what a hostile client has
                Err(_) if self.hostile.is_some() => {}
                Err(error) => return Err(error.into()),
            }
        }
        if !reached || self.heard.elapsed() > SILENCE {
            self.connection = RenetClient::new(ConnectionConfig::default());
            self.transport = connect(self.number, self.server)?;
            self.heard = Instant::now();
            self.connections += 1;
            return Ok(());
        }
        if self.connection.is_connected() {
            let input = self.choose();
            self.client.input(input);
            let message = self.changed(self.client.message()?);
            if !self.loss.loses() {
                self.connection.send_message(DefaultChannel::Unreliable, message);
            }
            // a bot that was disconnected hears it in its next tick
            let _ = self.transport.send_packets(&mut self.connection);
        }
        Ok(())
    }

    /// The bytes that are sent for a message: the message itself, unless the bot is hostile.
    fn changed(&mut self, mut message: Vec<u8>) -> Vec<u8> {
        let Some(first) = &mut self.hostile else { return message };
        if first.is_empty() {
            first.clone_from(&message);
        }
        match self.random.next(5) {
            0 => {
                let at = self.random.next(message.len() as u32) as usize;
                message[at] ^= 1 << self.random.next(8);
            }
            1 => message.truncate(self.random.next(message.len() as u32) as usize),
            2 => message.resize(5_000, 0),
            3 => message.clone_from(first),
            _ => {}
        }
        message
    }

    /// One step to the nearest coin, or anywhere.
    fn choose(&mut self) -> Input {
        if self.hostile.is_some() {
            return Input::Step { x: i8::MAX, y: i8::MIN };
        }
        let players = self.copy.query::<(&Player, &Place, &Purse)>().into_query();
        let own = players.iter().find(|(player, ..)| player.0 == self.number);
        self.coins = own.map_or(self.coins, |(.., purse)| purse.0);
        let coins = self.copy.query::<(&Place, &Coin)>().into_query();
        let target = own.and_then(|(_, own, _)| {
            let far = |place: &Place| (place.x - own.x).abs() + (place.y - own.y).abs();
            let nearest = coins.iter().map(|(place, _)| place).min_by_key(|place| far(place))?;
            Some(((nearest.x - own.x).signum(), (nearest.y - own.y).signum()))
        });
        let anywhere = (self.random.next(3) as i32 - 1, self.random.next(3) as i32 - 1);
        let (x, y) = target.filter(|_| self.random.next(4) > 0).unwrap_or(anywhere);
        Input::Step { x: x as i8, y: y as i8 }
    }
}

/// Plays until all bots have received the last tick. `each` is called after each tick, with the
/// last tick that a bot has received. Hostile bots are not in the summary.
pub fn run(
    options: &Options,
    server: SocketAddr,
    mut each: impl FnMut(u64) -> Result<(), Box<dyn Error>>,
) -> Result<Summary, Box<dyn Error>> {
    let ticks = options.ticks;
    let all = (1..=options.bots + options.hostile).map(|number| Bot::new(number, server, options));
    let mut bots: Vec<Bot> = all.collect::<Result<_, _>>()?;
    let mut hostile = bots.split_off(options.bots as usize);
    let step = Duration::from_micros(1_000_000 / RATE);
    let (mut due, begin) = (Instant::now(), Instant::now());
    let longest = Duration::from_millis(ticks * 1_000 / RATE) * 2 + Duration::from_secs(20);
    while bots.iter().any(|bot| bot.client.frame() < ticks) {
        if begin.elapsed() > longest {
            let behind = bots.iter().filter(|bot| bot.client.frame() < ticks).count();
            return Err(format!("{behind} bots have not received tick {ticks} in {longest:?}").into());
        }
        for bot in &mut bots {
            bot.tick(step).map_err(|error| format!("bot {}: {error}", bot.number))?;
        }
        for bot in &mut hostile {
            bot.tick(step).map_err(|error| format!("hostile bot {}: {error}", bot.number))?;
        }
        each(bots.iter().map(|bot| bot.client.frame()).max().unwrap_or(0))?;
        due += step;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    let mut summary = Summary { frame: u64::MAX, ..Summary::default() };
    hostile.iter_mut().for_each(|bot| bot.transport.disconnect());
    for bot in &mut bots {
        bot.transport.disconnect();
        summary.frame = summary.frame.min(bot.client.frame());
        summary.checked += bot.checked;
        summary.reconnected += bot.connections - 1;
        summary.coins += bot.coins;
    }
    Ok(summary)
}
