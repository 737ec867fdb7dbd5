//! [`Inputs`]: the resource by which a world gets the inputs of a frame.

use std::ops::Index;

use ecs::Resource;
use serde::{Deserialize, Serialize};

use crate::PlayerInput;

/// The inputs of all players in the frame that is run. List it as a resource of the world:
/// `inputs: Inputs<Keys> = Inputs::new(2)`.
///
/// [`Rollback`](crate::Rollback) writes it before each frame. A player who has disconnected has the
/// default input.
///
/// A world does not see whether an input is a prediction: its state would depend on the network,
/// and differ from that of the other programs.
#[derive(Resource, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Inputs<I> {
    players: Vec<Player<I>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
struct Player<I> {
    input: I,
    gone: bool,
}

impl<I: PlayerInput> Inputs<I> {
    /// The default input for each of a number of players: the value before the first frame.
    pub fn new(players: usize) -> Self {
        Self { players: vec![Player::default(); players] }
    }

    pub(crate) fn set(&mut self, inputs: impl Iterator<Item = (I, bool)>) {
        self.players.clear();
        self.players.extend(inputs.map(|(input, gone)| Player { input, gone }));
    }

    /// The input of a player, if there is a player of this number.
    pub fn get(&self, player: usize) -> Option<I> {
        self.players.get(player).map(|player| player.input)
    }

    /// Whether the player has disconnected. All programs agree on the frame in which this happens.
    pub fn is_gone(&self, player: usize) -> bool {
        self.players.get(player).is_some_and(|player| player.gone)
    }

    /// Iterates over the players' numbers and inputs.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (usize, I)> + '_ {
        self.players.iter().map(|player| player.input).enumerate()
    }

    /// The number of players.
    pub fn len(&self) -> usize {
        self.players.len()
    }

    /// Whether there are no players.
    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }
}

/// The inputs of players 0, 1, .. in this order, for tests without a session.
impl<I> FromIterator<I> for Inputs<I> {
    fn from_iter<T: IntoIterator<Item = I>>(inputs: T) -> Self {
        Self { players: inputs.into_iter().map(|input| Player { input, gone: false }).collect() }
    }
}

/// The input of a player.
///
/// # Panics
/// If there is no player of this number.
impl<I> Index<usize> for Inputs<I> {
    type Output = I;

    fn index(&self, player: usize) -> &I {
        let players = self.players.len();
        match self.players.get(player) {
            Some(player) => &player.input,
            None => panic!("there is no player {player}: the session has {players} players, from 0"),
        }
    }
}
