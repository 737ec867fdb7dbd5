//! The end of the game.

use ecs::Sources;
use ecs::prelude::*;

use crate::component::{CarriedBy, Exit, Fallen, Player, Position, Prize};
use crate::event::{Deed, Order};
use crate::outcome::Outcome;
use crate::world::Dungeon;

/// Wins the game if the hero climbs the stairs with the prize.
#[system(Dungeon)]
pub fn climb(
    mut orders: EventReader<Order>,
    heroes: Query<(&Position, Sources<CarriedBy>), With<Player>>,
    exits: Query<&Position, With<Exit>>,
    prizes: Query<Entity, With<Prize>>,
    mut outcome: ResMut<Outcome>,
    mut deeds: EventWriter<Deed>,
) {
    for _ in orders.iter().filter(|order| **order == Order::Climb) {
        let Ok((here, pack)) = heroes.single() else { continue };
        if !exits.iter().any(|exit| exit == here) {
            deeds.send(Deed::NoStairs);
        } else if !pack.iter().any(|&item| prizes.contains(item)) {
            deeds.send(Deed::EmptyHanded);
        } else {
            *outcome = Outcome::Won;
            deeds.send(Deed::Escaped);
        }
    }
}

/// Loses the game when the hero has died.
#[system(Dungeon)]
pub fn judge(dead: Query<Entity, (With<Player>, With<Fallen>)>, mut outcome: ResMut<Outcome>) {
    if !dead.is_empty() {
        *outcome = Outcome::Lost;
    }
}

/// A condition: whether the game goes on.
#[system(Dungeon)]
pub fn is_playing(outcome: Res<Outcome>) -> bool {
    *outcome == Outcome::Playing
}
