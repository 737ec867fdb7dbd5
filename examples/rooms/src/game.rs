//! The world of a room: players walk and collect coins.

use ecs::prelude::*;
use ecs::save::Selection;
use ecs_replication::ClientId;
use serde::{Deserialize, Serialize};

/// The number of columns, and of rows.
pub const SIDE: i32 = 32;
/// The most players in a room: those who are there, and those who may come back.
pub const MOST_PLAYERS: usize = 300;
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

/// The input of a player, which a client sends.
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

/// The player of a client, if it has one.
pub fn player(room: &Room, client: ClientId) -> Option<Entity> {
    let players = room.query::<(Entity, &Player)>().into_query();
    players.iter().find(|(_, player)| player.0 == client.0).map(|(entity, _)| entity)
}

/// The player of a client that comes, which is made when it comes for the first time. A client
/// chooses its number, so that a room has a limited number of players: in a full one, the poorest
/// player whose client `is_here` does not name makes way. `None` if all are here.
pub fn enter(room: &mut Room, client: ClientId, is_here: impl Fn(u64) -> bool) -> Option<Entity> {
    if let Some(player) = player(room, client) {
        return Some(player);
    }
    let players = room.query::<(Entity, &Player, &Purse)>().into_query();
    if players.len() >= MOST_PLAYERS {
        let absent = players.iter().filter(|(_, player, _)| !is_here(player.0));
        let (poorest, ..) = absent.min_by_key(|(_, player, purse)| (purse.0, player.0))?;
        room.despawn(poorest).ok()?;
    }
    let place = room.resource_mut::<Random>().place();
    Some(room.spawn((Player(client.0), place, Purse(0))))
}

/// Applies an input, as far as it is allowed: one cell in each direction, within the room.
pub fn step(room: &mut Room, player: Entity, Input::Step { x, y }: Input) {
    if let Some(place) = room.get_mut::<Place>(player) {
        place.x = (place.x + i32::from(x.clamp(-1, 1))).clamp(0, SIDE - 1);
        place.y = (place.y + i32::from(y.clamp(-1, 1))).clamp(0, SIDE - 1);
    }
}

/// The part of the room that a client sees: the coins and players within ten cells of its player.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_has_a_limited_number_of_players() {
        let mut room = Room::new(Random(1));
        for client in 0..2_000 {
            let player =
                enter(&mut room, ClientId(client), |other| other % 400 == 0).expect("others make way");
            room.insert(player, Purse(client as u32 % 7)).expect("it is there");
            assert!(room.query::<&Player>().len() <= MOST_PLAYERS);
        }
        for here in (0..2_000).step_by(400) {
            assert!(player(&room, ClientId(here)).is_some(), "{here} was there");
        }
        assert_eq!(enter(&mut room, ClientId(9_000), |_| true), None);
        let known = player(&room, ClientId(1_999));
        assert!(known.is_some() && known == enter(&mut room, ClientId(1_999), |_| true));
    }
}
