//! Doors: solid and opaque while they are closed.

use ecs::Sources;
use ecs::prelude::*;
use ecs_mechanics::turns::{Clock, Turn, TurnClock};

use crate::board::{Barrier, Board, Cell};
use crate::component::{CarriedBy, Glyph, Hands, Hinged, Key, Lock, Opaque, Player, Position, Solid};
use crate::event::{Bumped, Deed, Order};
use crate::world::Dungeon;

/// A door, with the components that change when it opens or closes.
#[derive(Query)]
pub struct Doorway<'w> {
    hinged: &'w Hinged,
    position: &'w Position,
    glyph: &'w mut Glyph,
}

/// Opens the doors that a creature with hands walked into, if they are not locked or the creature
/// has the key.
#[system(Dungeon)]
pub fn open(
    mut bumped: EventReader<Bumped>,
    handy: Query<Sources<CarriedBy>, With<Hands>>,
    keys: Query<&Key>,
    mut doors: Query<Doorway>,
    mut locks: Storage<Lock>,
    mut solids: Storage<Solid>,
    mut opaques: Storage<Opaque>,
    mut board: ResMut<Board>,
    mut deeds: EventWriter<Deed>,
) {
    for &Bumped { who, into } in &mut bumped {
        let (Some(pack), Some(doorway)) = (handy.get(who), doors.get_mut(into)) else { continue };
        if let Some(lock) = locks.get(into) {
            if !pack.iter().filter_map(|&item| keys.get(item)).any(|key| key.shape == lock.shape) {
                deeds.send(Deed::Locked { who, door: into });
                continue;
            }
            locks.remove(into);
            deeds.send(Deed::Unlocked { door: into });
        }
        if solids.remove(into).is_some() {
            opaques.remove(into);
            doorway.glyph.symbol = doorway.hinged.open;
            board.set(doorway.position.0, Cell::default());
            deeds.send(Deed::Opened { who, door: into });
        }
    }
}

/// Closes the open doors around the hero, unless their cell is occupied.
#[system(Dungeon)]
pub fn close_doors(
    mut orders: EventReader<Order>,
    heroes: Query<&Position, With<Player>>,
    mut doors: Query<(Entity, Doorway), Without<Player>>,
    mut solids: Storage<Solid>,
    mut opaques: Storage<Opaque>,
    mut board: ResMut<Board>,
    mut clock: ResMut<Clock<Turn>>,
    mut deeds: EventWriter<Deed>,
) {
    for _ in orders.iter().filter(|order| **order == Order::CloseDoors) {
        let Ok(hero) = heroes.single() else { continue };
        let mut closed = 0;
        for (entity, doorway) in &mut doors {
            let at = doorway.position.0;
            if at.distance(hero.0) != 1 || solids.contains(entity) || board.cell(at).body.is_some() {
                continue;
            }
            solids.insert(entity, Solid {}).expect("the query gave a living door");
            opaques.insert(entity, Opaque {}).expect("the query gave a living door");
            doorway.glyph.symbol = doorway.hinged.closed;
            board.set(at, Cell { body: Some(entity), barrier: Barrier::Closed, opaque: true });
            deeds.send(Deed::Closed { door: entity });
            closed += 1;
        }
        if closed == 0 {
            deeds.send(Deed::NoDoor);
        } else {
            clock.spend();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::Colour;
    use crate::point::Point;
    use crate::world::arena;

    fn lock(shape: &str) -> Lock {
        Lock { shape: shape.to_owned() }
    }

    /// Whether a hero who carries a key of the shape `key` can open a door with a lock of the shape
    /// `brass`.
    fn opens(key: &str) -> bool {
        let mut world = arena(2, 1);
        let who = world.spawn(Hands {});
        world.spawn((Key { shape: key.to_owned() }, CarriedBy { bearer: who, slot: 1 }));
        let glyph = Glyph { symbol: '+', colour: Colour::White };
        let door = Hinged { open: '\'', closed: '+' };
        let into = world.spawn((door, glyph, Position(Point::new(1, 0)), Solid {}, Opaque {}, lock("brass")));
        world.send(Bumped { who, into });
        world.run::<open>();
        assert_eq!(world.has::<Solid>(into), world.has::<Opaque>(into));
        !world.has::<Solid>(into)
    }

    #[test]
    fn locks_want_a_key_of_their_shape() {
        assert!(opens("brass"));
        assert!(!opens("iron"));
    }
}
