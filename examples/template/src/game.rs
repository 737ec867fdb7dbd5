//! The world and its rules.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// The size of the field, in cells.
pub const SIZE: (i32, i32) = (40, 25);
/// The number of coins on the field.
const COINS: usize = 8;

/// A cell of the field.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cell {
    pub x: i32,
    pub y: i32,
}

/// The figure of the player.
#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Player;

/// A coin, and its worth.
#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Coin(pub u32);

/// The worth of all coins that were taken.
#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Score(pub u32);

/// Random numbers that are part of the world, so that each run with the same input is the same.
#[derive(Resource, Clone, Serialize, Deserialize)]
pub struct Dice(u64);

/// A step that the player wants, to the right and downwards.
#[derive(Event, Clone, Copy, Serialize, Deserialize)]
pub struct Step(pub i32, pub i32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    pub struct Game {
        components { Cell, Player, Coin }
        resources { Score = Score::default(), Dice = Dice(1) }
        events { Step(external) }
    }
    // systems between two `;` may run at the same time; commands are applied at each `;`
    schedule tick { walk; take_coins; drop_coins }
}

/// A game with its player.
pub fn start() -> Game {
    let mut game = Game::new();
    game.spawn((
        Player,
        Cell {
            x: SIZE.0 / 2,
            y: SIZE.1 / 2,
        },
    ));
    game
}

#[system(Game)]
fn walk(mut steps: EventReader<Step>, mut players: Query<&mut Cell, With<Player>>) {
    for Step(x, y) in &mut steps {
        for cell in &mut players {
            cell.x = (cell.x + x).clamp(0, SIZE.0 - 1);
            cell.y = (cell.y + y).clamp(0, SIZE.1 - 1);
        }
    }
}

#[system(Game)]
fn take_coins(
    players: Query<&Cell, With<Player>>,
    coins: Query<(Entity, &Cell, &Coin)>,
    mut score: ResMut<Score>,
    mut commands: Commands<Game>,
) {
    for (coin, cell, Coin(worth)) in &coins {
        if players.iter().any(|player| player == cell) {
            score.0 += worth;
            commands.despawn(coin);
        }
    }
}

#[system(Game)]
fn drop_coins(coins: Query<&Coin>, mut dice: ResMut<Dice>, mut commands: Commands<Game>) {
    for _ in coins.iter().count()..COINS {
        let cell = Cell {
            x: dice.below(SIZE.0),
            y: dice.below(SIZE.1),
        };
        commands.spawn((cell, Coin(1 + dice.below(5) as u32)));
    }
}

impl Dice {
    /// A number from 0 to `end - 1`.
    fn below(&mut self, end: i32) -> i32 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % u64::from(end.unsigned_abs().max(1))) as i32
    }
}
