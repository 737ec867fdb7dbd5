//! The hero's steps, and the board.

use ecs::prelude::*;
use ecs_mechanics::turns::{Clock, Turn, TurnClock};

use crate::board::{Barrier, Board, Cell};
use crate::component::{Hinged, Lock, Opaque, Player, Position, Solid, Takeable};
use crate::event::{Bumped, Deed, Order};
use crate::level::Level;
use crate::point::Point;
use crate::world::Dungeon;

/// Builds the board.
#[system(Dungeon)]
pub fn survey(
    solids: Query<(Entity, &Position, Is<Opaque>, Is<Hinged>, Is<Lock>), With<Solid>>,
    level: Res<Level>,
    mut board: ResMut<Board>,
) {
    board.reset(&level);
    for (entity, position, opaque, door, lock) in &solids {
        let barrier = match (*door, *lock) {
            (true, true) => Barrier::Locked,
            (true, false) => Barrier::Closed,
            (false, _) => Barrier::None,
        };
        board.set(position.0, Cell { body: Some(entity), barrier, opaque: *opaque });
    }
}

/// Moves the hero, or reports a bump if the cell is blocked.
#[system(Dungeon)]
pub fn stride(
    mut orders: EventReader<Order>,
    mut heroes: Query<(Entity, &mut Position), With<Player>>,
    level: Res<Level>,
    mut board: ResMut<Board>,
    mut clock: ResMut<Clock<Turn>>,
    mut bumped: EventWriter<Bumped>,
    mut deeds: EventWriter<Deed>,
) {
    for order in &mut orders {
        let direction = match *order {
            Order::Walk(direction) => direction,
            Order::Wait => {
                clock.spend();
                continue;
            }
            _ => continue,
        };
        for (who, position) in &mut heroes {
            let (from, to) = (position.0, position.0 + direction);
            if !level.is_floor(to) {
                deeds.send(Deed::Wall);
                continue;
            }
            clock.spend();
            match board.cell(to).body {
                Some(into) => bumped.send(Bumped { who, into }),
                None => {
                    board.walk(from, to);
                    position.0 = to;
                }
            }
        }
    }
}

/// Reports the items in the cell that the hero enters.
#[system(Dungeon)]
pub fn tread(
    heroes: Query<&Position, With<Player>>,
    items: Query<(Entity, &Position), With<Takeable>>,
    mut last: Local<Option<Point>>,
    mut deeds: EventWriter<Deed>,
) {
    let here = heroes.single().ok().map(|position| position.0);
    if here == *last {
        return;
    }
    *last = here;
    let found = items.iter().filter(|(_, position)| Some(position.0) == here);
    deeds.extend(found.map(|(item, _)| Deed::Found { item }));
}
