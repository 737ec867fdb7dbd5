//! Ends: of the dead, of what was used up, and of the game.

use ecs::prelude::*;

use crate::clock::Outcome;
use crate::component::{Carried, Exit, Fallen, Loot, Player, Position, Prize, Spent};
use crate::content::Catalogue;
use crate::event::{Deed, Order};
use crate::point::Point;
use crate::world::Dungeon;

/// Leaves the dungeon, if the hero stands on the stairs with the prize in his pack.
#[system(Dungeon)]
pub fn climb(
    mut orders: EventReader<Order>,
    heroes: Query<&Position, With<Player>>,
    exits: Query<&Position, With<Exit>>,
    prizes: Query<Entity, (With<Prize>, With<Carried>)>,
    mut outcome: ResMut<Outcome>,
    mut deeds: EventWriter<Deed>,
) {
    for _ in orders.iter().filter(|order| **order == Order::Climb) {
        let Ok(here) = heroes.single() else { continue };
        if !exits.iter().any(|exit| exit == here) {
            deeds.send(Deed::NoStairs);
        } else if prizes.is_empty() {
            deeds.send(Deed::EmptyHanded);
        } else {
            *outcome = Outcome::Won;
            deeds.send(Deed::Escaped);
        }
    }
}

/// Loses the game when the hero has fallen.
#[system(Dungeon)]
pub fn judge(dead: Query<Entity, (With<Player>, With<Fallen>)>, mut outcome: ResMut<Outcome>) {
    if !dead.is_empty() {
        *outcome = Outcome::Lost;
    }
}

/// A condition: whether nothing more can happen.
#[system(Dungeon)]
pub fn is_over(outcome: Res<Outcome>) -> bool {
    *outcome != Outcome::Playing
}

/// Takes the dead and the used up out of the world, and leaves behind what the dead had.
///
/// An exclusive system: it has the whole world to itself, and may spawn and despawn. The hero stays, to be looked at.
#[system(Dungeon)]
pub fn bury(world: &mut Dungeon) {
    let dead: Vec<(Entity, Point, Option<Loot>)> = world
        .query::<(Entity, &Position, Option<&Loot>)>()
        .filter::<(With<Fallen>, Without<Player>)>()
        .iter()
        .map(|(entity, position, loot)| (entity, position.0, loot.cloned()))
        .collect();
    let spent: Vec<Entity> = world.query::<Entity>().filter::<With<Spent>>().iter().collect();

    for (_, at, loot) in &dead {
        let template = loot.as_ref().and_then(|loot| world.resource::<Catalogue>().get(&loot.item));
        if let Some(template) = template {
            template.spawn(world, *at);
        }
    }
    for entity in dead.into_iter().map(|(entity, ..)| entity).chain(spent) {
        world.despawn(entity).expect("the queries gave living entities");
    }
}
