//! The minds of monsters: they hunt the hero from the moment they see the hero until they forget.
//!
//! Their turn has two halves. First, one system for each kind of mind writes the [`Intent`]s of that kind. Filters make the kinds
//! disjoint, so that these systems may run at the same time. Then [`act()`] executes the intents, one after the other.

use ecs::prelude::*;
use ecs_mechanics::turns::{Clock, Turn, TurnClock};

use crate::board::{Barrier, Board};
use crate::component::{
    Burst, Fallen, Hands, Health, Hunts, Intent, Melee, Mind, Pace, Player, Position, Shot, Trail, View,
};
use crate::event::{Bumped, Cause, Deed, Hurt, Loosed};
use crate::level::Level;
use crate::path;
use crate::point::Point;
use crate::world::Dungeon;

/// The living hero.
type Hero = (With<Player>, Without<Fallen>);

/// Begins to hunt when the hero comes into sight.
#[system(Dungeon)]
pub fn notice(
    who: Entity,
    position: &Position,
    view: &View,
    mind: &Mind,
    _: Without<Hunts>,
    _: Without<Fallen>,
    heroes: Query<(Entity, &Position, &View), Hero>,
    mut commands: Commands<Dungeon>,
    mut deeds: EventWriter<Deed>,
) {
    let Ok((prey, hero, seen)) = heroes.single() else { return };
    if view.contains(hero.0) {
        commands.insert(who, (Hunts(prey), Trail { at: hero.0, patience: mind.memory }));
        if seen.contains(position.0) {
            deeds.send(Deed::Noticed { who });
        }
    }
}

/// Updates the trail of hunters, and ends the hunt when the prey is forgotten.
///
/// It iterates over the hunters, [`notice()`] over the other minds.
#[system(Dungeon)]
pub fn track(
    who: Entity,
    view: &View,
    mind: &Mind,
    hunts: &Hunts,
    trail: &mut Trail,
    _: Without<Fallen>,
    heroes: Query<&Position, Hero>,
    mut commands: Commands<Dungeon>,
) {
    let Some(prey) = heroes.get(hunts.0) else { return };
    if view.contains(prey.0) {
        *trail = Trail { at: prey.0, patience: mind.memory };
    } else {
        match trail.patience.checked_sub(1) {
            Some(patience) => trail.patience = patience,
            None => commands.remove::<(Hunts, Trail)>(who),
        }
    }
}

/// The data of a hunter's decision.
#[derive(Query)]
pub struct Hunter<'w> {
    position: &'w Position,
    hunts: &'w Hunts,
    trail: &'w Trail,
    view: &'w View,
    melee: Is<Melee>,
    hands: Is<Hands>,
}

impl Hunter<'_> {
    /// The intent to strike, if the prey is in a neighbouring cell.
    fn strike(&self, prey: Point) -> Option<Intent> {
        (*self.melee && self.position.0.distance(prey) == 1).then_some(Intent::Strike(self.hunts.0))
    }

    /// The intent to step towards the last known position of the prey.
    fn approach(&self, level: &Level, board: &Board) -> Intent {
        let step = path::step(self.position.0, self.trail.at, *self.hands, level, board);
        step.map_or(Intent::Wait, Intent::Walk)
    }
}

/// The mind of most monsters: strikes the hero, or comes nearer.
#[system(Dungeon)]
pub fn stalk(
    hunter: Each<Hunter>,
    intent: &mut Intent,
    _: Without<Shot>,
    _: Without<Burst>,
    bodies: Query<&Position, With<Health>>,
    level: Res<Level>,
    board: Res<Board>,
) {
    let Some(prey) = bodies.get(hunter.hunts.0) else { return };
    *intent = hunter.strike(prey.0).unwrap_or_else(|| hunter.approach(&level, &board));
}

/// The mind of archers: shoots when the hero is in sight and range.
#[system(Dungeon)]
pub fn snipe(
    hunter: Each<Hunter>,
    shot: &Shot,
    intent: &mut Intent,
    _: Without<Burst>,
    bodies: Query<&Position, With<Health>>,
    level: Res<Level>,
    board: Res<Board>,
) {
    let Some(prey) = bodies.get(hunter.hunts.0) else { return };
    let is_in_range = hunter.position.0.distance(prey.0) <= u32::from(shot.range);
    let shoot = (is_in_range && hunter.view.contains(prey.0)).then_some(Intent::Shoot(hunter.hunts.0));
    *intent = hunter.strike(prey.0).or(shoot).unwrap_or_else(|| hunter.approach(&level, &board));
}

/// The mind of creatures that burst: comes near, and bursts.
#[system(Dungeon)]
pub fn drift(
    hunter: Each<Hunter>,
    intent: &mut Intent,
    _: With<Burst>,
    bodies: Query<&Position, With<Health>>,
    level: Res<Level>,
    board: Res<Board>,
) {
    let Some(prey) = bodies.get(hunter.hunts.0) else { return };
    let is_near = hunter.position.0.distance(prey.0) == 1;
    *intent = if is_near { Intent::Burst } else { hunter.approach(&level, &board) };
}

/// Executes the intents of the hunters that are still possible: another creature may have acted before.
#[system(Dungeon)]
pub fn act(
    mut hunters: Query<(Entity, &mut Intent, &mut Position, Option<&Pace>), With<Hunts>>,
    clock: Res<Clock<Turn>>,
    mut board: ResMut<Board>,
    mut bumped: EventWriter<Bumped>,
    mut loosed: EventWriter<Loosed>,
    mut hurts: EventWriter<Hurt>,
) {
    for (who, intent, position, pace) in &mut hunters {
        let intent = std::mem::take(intent);
        if pace.is_some_and(|pace| !clock.turn().is_multiple_of(u64::from(pace.every))) {
            continue; // it rests
        }
        match intent {
            Intent::Wait => {}
            Intent::Strike(into) => bumped.send(Bumped { who, into }),
            Intent::Shoot(at) => loosed.send(Loosed { who, at }),
            Intent::Burst => {
                hurts.send(Hurt { victim: who, damage: Some(u16::MAX), cause: Cause::Burst(who) });
            }
            Intent::Walk(to) => match board.cell(to).body {
                Some(into) if board.cell(to).barrier == Barrier::Closed => bumped.send(Bumped { who, into }),
                Some(_) => {} // another creature is in the way: wait
                None => {
                    board.walk(position.0, to);
                    position.0 = to;
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use ecs_mechanics::sight::look;

    use super::*;
    use crate::component::{Sight, Solid};
    use crate::dice::Roll;
    use crate::system::survey;
    use crate::world::arena;

    const HERE: Point = Point::new(0, 0);
    const MIND: Mind = Mind { memory: 1 };

    #[test]
    fn memory_of_the_hero_fades() {
        let mut world = arena(9, 1);
        let prey = world.spawn((Player {}, Position(HERE), View::default()));
        let hunting = (Hunts(prey), Trail { at: HERE, patience: 1 });
        let rat = world.spawn((MIND, Position(Point::new(2, 0)), View::default(), hunting));
        world.run::<track>();
        assert!(world.has::<Hunts>(rat));
        world.run::<track>();
        assert!(!world.has::<Hunts>(rat));
    }

    #[test]
    fn every_kind_has_its_own_mind() {
        let mut world = arena(9, 1);
        let prey = world.spawn((Player {}, Position(HERE), Health::full(9)));
        let hunting = (Hunts(prey), Trail { at: HERE, patience: 1 });
        let mut hunter = |x| world.spawn((MIND, Position(Point::new(x, 0)), Sight { radius: 9 }, hunting));
        let [ball, archer, rat] = [hunter(1), hunter(3), hunter(5)];
        world.insert(ball, Burst { damage: Roll::default(), radius: 1 }).expect("it lives");
        world.insert(archer, Shot { aim: 50, damage: Roll::default(), range: 3 }).expect("it lives");
        world.run::<survey>();
        world.run::<look<Position, Board>>();
        world.run::<stalk>();
        world.run::<snipe>();
        world.run::<drift>();
        let intents = [ball, archer, rat].map(|who| world.get::<Intent>(who).copied());
        let expected = [Intent::Burst, Intent::Shoot(prey), Intent::Walk(Point::new(4, 0))];
        assert_eq!(intents, expected.map(Some));
    }

    #[test]
    fn who_comes_second_waits() {
        let mut world = arena(3, 1);
        let prey = world.spawn(());
        let hunting = (Hunts(prey), Trail { at: HERE, patience: 1 });
        let [left, middle, right] = [0, 1, 2].map(|x| Point::new(x, 0));
        let rats =
            [left, right].map(|at| world.spawn((hunting, Intent::Walk(middle), Position(at), Solid {})));
        world.run::<survey>();
        world.run::<act>();
        assert_eq!(rats.map(|rat| world.get::<Position>(rat).map(|at| at.0)), [Some(middle), Some(right)]);
    }
}
