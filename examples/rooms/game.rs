//! The world of a room: players walk and collect coins.

use ecs::prelude::*;
use ecs::save::Selection;
use ecs_replication::ClientId;
use serde::{Deserialize, Serialize};

/// The number of columns, and of rows.
pub const SIDE: i32 = 32;
/// The number of coins in a room.
const COINS: usize = 12;

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Place {
    pub x: i32,
    pub y: i32,
}

/// The coins of a player.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(tracked)]
pub struct Purse(pub u32);

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Coin;

/// The client that a player belongs to.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Player(pub u64);

/// The last coin that a player took, which is gone.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Took(pub Entity);

/// A generator of random numbers: SplitMix64.
#[derive(Resource, Clone, Debug, Serialize, Deserialize)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self, below: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((bits >> 32) * u64::from(below)) >> 32) as u32
    }

    fn place(&mut self) -> Place {
        Place { x: self.next(SIDE as u32) as i32, y: self.next(SIDE as u32) as i32 }
    }
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    pub struct Room {
        components { Place, Purse, Coin, Player, Took }
        resources { Random }
    }
    schedule tick { spread_coins; collect }
}

/// What a client sends.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum Input {
    Step { x: i8, y: i8 },
}

/// The components that clients receive.
pub type Shown = (Place, Player, Purse, Coin, Took);

#[system(Room)]
fn spread_coins(coins: Query<Entity, With<Coin>>, mut random: ResMut<Random>, mut commands: Commands<Room>) {
    for _ in coins.len()..COINS {
        commands.spawn((Coin, random.place()));
    }
}

#[system(Room)]
fn collect(
    coins: Query<(Entity, &Place), With<Coin>>,
    mut players: Query<(Entity, &Place, Mut<Purse>), Without<Coin>>,
    mut commands: Commands<Room>,
) {
    // of two players in one cell, the first one takes the coin
    let mut taken = Vec::new();
    for (player, at, mut purse) in players.iter_mut() {
        for (coin, _) in coins.iter().filter(|(_, place)| *place == at) {
            if !taken.contains(&coin) {
                taken.push(coin);
                purse.0 += 1;
                commands.insert(player, Took(coin));
            }
        }
    }
    for coin in taken {
        commands.despawn(coin);
    }
}

/// The player of a client, which is made when the client comes for the first time.
pub fn player(room: &mut Room, client: ClientId) -> Entity {
    let players = room.query::<(Entity, &Player)>().into_query();
    let known = players.iter().find(|(_, player)| player.0 == client.0).map(|(entity, _)| entity);
    known.unwrap_or_else(|| {
        let place = room.resource_mut::<Random>().place();
        room.spawn((Player(client.0), place, Purse(0)))
    })
}

/// Applies an input, as far as it is allowed: one cell in each direction, within the room.
pub fn step(room: &mut Room, player: Entity, Input::Step { x, y }: Input) {
    if let Some(place) = room.get_mut::<Place>(player) {
        place.x = (place.x + i32::from(x.clamp(-1, 1))).clamp(0, SIDE - 1);
        place.y = (place.y + i32::from(y.clamp(-1, 1))).clamp(0, SIDE - 1);
    }
}

/// What a client sees: the coins and players within ten cells of its player.
pub fn view(room: &Room, client: ClientId) -> Selection<Room> {
    let players = room.query::<(&Player, &Place)>().into_query();
    let Some(own) = players.iter().find(|(player, _)| player.0 == client.0).map(|(_, place)| *place) else {
        return Selection::of::<Shown>().only([]);
    };
    let near = |place: &Place| (place.x - own.x).abs().max((place.y - own.y).abs()) <= 10;
    let all = room.query::<(Entity, &Place)>().into_query();
    let seen: Vec<Entity> = all.iter().filter(|(_, place)| near(place)).map(|(entity, _)| entity).collect();
    Selection::of::<Shown>().only(seen)
}
