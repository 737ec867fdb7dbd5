//! What monsters want: the hero, as soon as they see him and for as long as they remember.

use ecs::prelude::*;
use pathfinding::prelude::astar;

use crate::board::{Barrier, Board};
use crate::clock::Clock;
use crate::component::{Fallen, Hands, Health, Hunting, Melee, Mind, Pace, Player, Position, Shot, View};
use crate::event::{Bumped, Deed, Loosed};
use crate::level::Level;
use crate::point::Point;
use crate::world::Dungeon;

/// Sees the hero and begins to hunt; loses him from sight, and after a while from mind.
#[system(Dungeon)]
pub fn notice(
    heroes: Query<(&Position, &View), (With<Player>, Without<Fallen>)>,
    minds: Query<(Entity, &Position, &View, &Mind), Without<Fallen>>,
    mut hunting: Storage<Hunting>,
    mut deeds: EventWriter<Deed>,
) {
    let Ok((hero, seen)) = heroes.single() else { return };
    for (who, position, view, mind) in &minds {
        if view.contains(hero.0) {
            let hunt = Hunting { at: hero.0, patience: mind.memory };
            let before = hunting.insert(who, hunt).expect("the query gave a living entity");
            if before.is_none() && seen.contains(position.0) {
                deeds.send(Deed::Noticed { who });
            }
        } else if let Some(hunt) = hunting.get_mut(who) {
            match hunt.patience.checked_sub(1) {
                Some(patience) => hunt.patience = patience,
                None => drop(hunting.remove(who)),
            }
        }
    }
}

/// A monster on the hunt.
#[derive(Query)]
pub struct Hunter<'w> {
    entity: Entity,
    position: &'w mut Position,
    hunting: &'w Hunting,
    view: &'w View,
    pace: Option<&'w Pace>,
    shot: Option<&'w Shot>,
    melee: Is<Melee>,
    hands: Is<Hands>,
}

/// Every hunter strikes, shoots, or comes a step nearer.
///
/// Two queries reach positions, one of them mutably: their filters keep them apart.
#[system(Dungeon)]
pub fn hunt(
    heroes: Query<(Entity, &Position), (With<Player>, With<Health>)>,
    mut hunters: Query<Hunter, Without<Player>>,
    level: Res<Level>,
    clock: Res<Clock>,
    mut board: ResMut<Board>,
    mut bumped: EventWriter<Bumped>,
    mut loosed: EventWriter<Loosed>,
) {
    let Ok((hero, goal)) = heroes.single() else { return };
    for hunter in &mut hunters {
        let who = hunter.entity;
        let rests = hunter.pace.is_some_and(|pace| !clock.turn.is_multiple_of(u32::from(pace.every)));
        if rests {
            continue;
        }
        let distance = hunter.position.0.distance(goal.0);
        let in_range = |shot: &Shot| distance <= u32::from(shot.range) && hunter.view.contains(goal.0);
        if distance == 1 && *hunter.melee {
            bumped.send(Bumped { who, into: hero });
        } else if hunter.shot.is_some_and(in_range) {
            loosed.send(Loosed { who, at: hero });
        } else if let Some(to) = step(hunter.position.0, hunter.hunting.at, *hunter.hands, &level, &board) {
            match board.cell(to).body {
                Some(into) if board.cell(to).barrier == Barrier::Closed => bumped.send(Bumped { who, into }),
                Some(_) => {} // Somebody is in the way: wait.
                None => {
                    board.walk(hunter.position.0, to);
                    hunter.position.0 = to;
                }
            }
        }
    }
}

/// The first step of the shortest way, if there is one.
///
/// A diagonal step costs a little more than a straight one, so that paths look natural, and other bodies cost a detour.
fn step(from: Point, to: Point, opens_doors: bool, level: &Level, board: &Board) -> Option<Point> {
    const STRAIGHT: u32 = 10;
    const DIAGONAL: u32 = 11;
    const DOOR: u32 = 10;
    const BODY: u32 = 50;

    let neighbours = |here: &Point| {
        here.neighbours().filter_map(move |(direction, there)| {
            let length = if direction.is_diagonal() { DIAGONAL } else { STRAIGHT };
            let cell = board.cell(there);
            let delay = match cell.barrier {
                Barrier::Closed if opens_doors => DOOR,
                Barrier::Closed | Barrier::Locked => return None,
                Barrier::None if cell.body.is_some() && there != to => BODY,
                Barrier::None => 0,
            };
            level.is_floor(there).then_some((there, length + delay))
        })
    };
    let (path, _) = astar(&from, neighbours, |here| here.distance(to) * STRAIGHT, |here| *here == to)?;
    path.get(1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Cell;
    use crate::world::arena;

    const HERE: Point = Point::new(0, 0);
    const THERE: Point = Point::new(2, 0);
    const BETWEEN: Point = Point::new(1, 0);

    /// The step from one end of a corridor of three cells to the other, with `barrier` in the middle.
    fn step_through(barrier: Barrier, opens_doors: bool) -> Option<Point> {
        let world = arena(3, 1);
        let mut board = Board::default();
        board.reset(world.resource::<Level>());
        board.set(BETWEEN, Cell { barrier, ..Cell::default() });
        step(HERE, THERE, opens_doors, world.resource::<Level>(), &board)
    }

    #[test]
    fn doors_stop_those_without_hands_and_locks_everybody() {
        assert_eq!(step_through(Barrier::None, false), Some(BETWEEN));
        assert_eq!(step_through(Barrier::Closed, true), Some(BETWEEN));
        assert_eq!(step_through(Barrier::Closed, false), None);
        assert_eq!(step_through(Barrier::Locked, true), None);
    }

    #[test]
    fn memory_of_the_hero_fades() {
        let mut world = arena(9, 1);
        world.spawn((Player {}, Position(HERE), View::default()));
        let hunting = Hunting { at: HERE, patience: 1 };
        let rat = world.spawn((Mind { memory: 1 }, Position(THERE), View::default(), hunting));
        world.run::<notice>();
        assert!(world.has::<Hunting>(rat));
        world.run::<notice>();
        assert!(!world.has::<Hunting>(rat));
    }
}
