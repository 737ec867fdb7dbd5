//! The minds of monsters: they hunt the hero from the moment they see the hero until they forget.
//!
//! The mood of a monster is a state machine, which changes at the end of a turn. A turn of a hunter
//! has four steps: [`weigh()`] finds what it can do, its behaviour tree chooses, [`decide()`] makes
//! an [`Intent`] of the choice, and [`act()`] executes the intents, one after the other.

use ecs::prelude::*;
use ecs_mechanics::minds::{Machine, StateChange};
use ecs_mechanics::turns::{Clock, Turn, TurnClock};

use crate::board::{Barrier, Board};
use crate::component::{
    Chances, Choice, Fallen, Hands, Health, Intent, Melee, Mind, Mood, Pace, Player, Position, Shot, Trail,
    View, mood,
};
use crate::event::{Bumped, Cause, Deed, Hurt, Loosed};
use crate::level::Level;
use crate::path;
use crate::world::Dungeon;

/// The living hero.
type Hero = (With<Player>, Without<Fallen>);

/// Begins to hunt when the hero comes into sight.
#[system(Dungeon)]
pub fn notice(
    view: &View,
    mind: &Mind,
    mood: &mut Machine<Mood>,
    _: Without<Fallen>,
    heroes: Query<(Entity, &Position), Hero>,
) {
    let Ok((prey, hero)) = heroes.single() else { return };
    if view.contains(hero.0) {
        mood.change::<mood::Idle, mood::Hunting>(Trail { prey, at: hero.0, patience: mind.memory });
    }
}

/// Updates the trail of hunters, and ends the hunt when the prey is forgotten.
#[system(Dungeon)]
pub fn track(
    view: &View,
    mind: &Mind,
    mood: &mut Machine<Mood>,
    _: Without<Fallen>,
    heroes: Query<&Position, Hero>,
) {
    let Some(trail) = mood.data_mut::<mood::Hunting>() else { return };
    let Some(prey) = heroes.get(trail.prey) else { return };
    if view.contains(prey.0) {
        (trail.at, trail.patience) = (prey.0, mind.memory);
        return;
    }
    match trail.patience.checked_sub(1) {
        Some(patience) => trail.patience = patience,
        None => {
            mood.change::<mood::Hunting, mood::Idle>(());
        }
    }
}

/// Tells that a hunt has begun, if the hero sees the hunter.
#[system(Dungeon)]
pub fn announce(
    mut changes: EventReader<StateChange<Mood>>,
    hunters: Query<&Position>,
    heroes: Query<&View, Hero>,
    mut deeds: EventWriter<Deed>,
) {
    for change in changes.iter().filter(|change| change.entered::<mood::Hunting>()) {
        let (Ok(seen), Some(position)) = (heroes.single(), hunters.get(change.entity)) else { continue };
        if seen.contains(position.0) {
            deeds.send(Deed::Noticed { who: change.entity });
        }
    }
}

/// Finds what a hunter can do in this turn.
#[system(Dungeon)]
pub fn weigh(
    position: &Position,
    mood: &Machine<Mood>,
    view: &View,
    melee: Is<Melee>,
    shot: Option<&Shot>,
    chances: &mut Chances,
    bodies: Query<&Position, With<Health>>,
) {
    *chances = Chances::default();
    let Some(trail) = mood.data::<mood::Hunting>() else { return };
    let Some(prey) = bodies.get(trail.prey) else { return };
    let distance = position.0.distance(prey.0);
    chances.is_near = distance == 1;
    chances.can_strike = *melee && distance == 1;
    chances.can_shoot = shot.is_some_and(|shot| distance <= u32::from(shot.range)) && view.contains(prey.0);
}

/// Makes an intent of what the tree of a hunter has chosen. A hunter whose prey is gone waits.
#[system(Dungeon)]
pub fn decide(
    position: &Position,
    mood: &Machine<Mood>,
    chances: &Chances,
    hands: Is<Hands>,
    intent: &mut Intent,
    bodies: Query<Entity, With<Health>>,
    level: Res<Level>,
    board: Res<Board>,
) {
    let Some(trail) = mood.data::<mood::Hunting>().filter(|trail| bodies.contains(trail.prey)) else {
        return;
    };
    *intent = match chances.choice {
        Some(Choice::Strike) => Intent::Strike(trail.prey),
        Some(Choice::Shoot) => Intent::Shoot(trail.prey),
        Some(Choice::Burst) => Intent::Burst,
        // a step towards the last known position of the prey
        Some(Choice::Approach) => {
            path::step(position.0, trail.at, *hands, &level, &board).map_or(Intent::Wait, Intent::Walk)
        }
        None => Intent::Wait,
    };
}

/// Executes the intents of the hunters that are still possible: another creature may have acted
/// before.
#[system(Dungeon)]
pub fn act(
    mut hunters: Query<(Entity, &Machine<Mood>, &mut Intent, &mut Position, Option<&Pace>)>,
    clock: Res<Clock<Turn>>,
    mut board: ResMut<Board>,
    mut bumped: EventWriter<Bumped>,
    mut loosed: EventWriter<Loosed>,
    mut hurts: EventWriter<Hurt>,
) {
    for (who, mood, intent, position, pace) in &mut hunters {
        if !mood.is::<mood::Hunting>() {
            continue;
        }
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
    use ecs_mechanics::minds::change_states;
    use ecs_mechanics::minds::tree::tick_trees;
    use ecs_mechanics::sight::look;

    use super::*;
    use crate::component::{Burst, Hunting, Minds, Sight, Solid, Tactics};
    use crate::dice::Roll;
    use crate::point::Point;
    use crate::system::survey;
    use crate::world::arena;

    const HERE: Point = Point::new(0, 0);
    const MIND: Mind = Mind { memory: 1 };

    /// A mind that hunts its prey.
    fn hunting(world: &mut Dungeon, who: Entity, prey: Entity) {
        let mood = world.get_mut::<Machine<Mood>>(who).expect("minds require a mood");
        assert!(mood.change::<mood::Idle, mood::Hunting>(Trail { prey, at: HERE, patience: 1 }));
        world.run::<change_states<Mood>>();
    }

    #[test]
    fn memory_of_the_hero_fades() {
        let mut world = arena(9, 1);
        let prey = world.spawn((Player {}, Position(HERE), View::default()));
        let rat = world.spawn((MIND, Position(Point::new(2, 0)), View::default()));
        hunting(&mut world, rat, prey);
        let mut hunts = || {
            world.run::<track>();
            world.run::<change_states<Mood>>();
            world.get::<Machine<Mood>>(rat).expect("it lives").is::<mood::Hunting>()
        };
        assert!(hunts());
        assert!(!hunts());
    }

    #[test]
    fn every_kind_has_its_own_mind() {
        let mut world = arena(9, 1);
        let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        *world.resource_mut::<Minds>() = crate::content::Content::read(&data).expect("it ships").minds;
        let prey = world.spawn((Player {}, Position(HERE), Health::full(9)));
        let mut hunter = |x, tree| {
            let place = (Position(Point::new(x, 0)), Sight { radius: 9 });
            world.spawn((MIND, place, Tactics::new(tree), Melee { aim: 50, damage: Roll::default() }))
        };
        let [ball, archer, rat, dog] =
            [hunter(1, "drifter"), hunter(3, "sniper"), hunter(5, "stalker"), hunter(1, "stalker")];
        world.insert(ball, Burst { damage: Roll::default(), radius: 1 }).expect("it lives");
        world.insert(archer, Shot { aim: 50, damage: Roll::default(), range: 3 }).expect("it lives");
        for who in [ball, archer, rat, dog] {
            hunting(&mut world, who, prey);
        }
        world.run::<survey>();
        world.run::<look<Position, Board>>();
        world.run::<weigh>();
        world.run::<tick_trees<Hunting>>();
        world.run::<decide>();
        let intents = [ball, archer, rat, dog].map(|who| world.get::<Intent>(who).copied());
        let walk = Intent::Walk(Point::new(4, 0));
        let expected = [Intent::Burst, Intent::Shoot(prey), walk, Intent::Strike(prey)];
        assert_eq!(intents, expected.map(Some));
    }

    #[test]
    fn who_comes_second_waits() {
        let mut world = arena(3, 1);
        let prey = world.spawn(());
        let [left, middle, right] = [0, 1, 2].map(|x| Point::new(x, 0));
        let rats = [left, right].map(|at| world.spawn((MIND, Position(at), Solid {})));
        for rat in rats {
            hunting(&mut world, rat, prey);
            world.insert(rat, Intent::Walk(middle)).expect("it lives");
        }
        world.run::<survey>();
        world.run::<act>();
        assert_eq!(rats.map(|rat| world.get::<Position>(rat).map(|at| at.0)), [Some(middle), Some(right)]);
    }
}
