//! Tracked resources: which borrows are changes, who sees them, and what clones, snapshots and
//! saves have of them.

use ecs::prelude::*;
use ecs::save::Saved;
use ecs::schedule::Parallelism;
use serde::{Deserialize, Serialize};

#[derive(Resource, Default, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[resource(tracked)]
struct Score(u32);
#[derive(Resource, Default, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[resource(tracked)]
struct Other(u32);
#[derive(Resource, Default, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Orders {
    write: bool,
    set: Option<u32>,
    force: bool,
}
/// For each run of the watchers: who, and what they saw.
#[derive(Resource, Default, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Seen(Vec<(u8, bool)>);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Ball(u32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Ball }
        resources { Score, Orders, Other, Seen }
    }
    schedule tick { early, touch; late, count if are_new, each }
}

#[system(Game)]
fn early(score: Res<Score>, mut seen: ResMut<Seen>) {
    seen.0.push((0, score.is_changed()));
}

#[system(Game)]
fn touch(mut score: ResMut<Score>, orders: Res<Orders>, mut seen: ResMut<Seen>) {
    let before = score.is_changed();
    let read = score.0; // a read is no change
    assert_eq!(score.is_changed(), before);
    if orders.write {
        score.0 = read + 1;
        assert!(score.is_changed());
    }
    if let Some(value) = orders.set {
        let differs = score.0 != value;
        assert_eq!(score.set_if_neq(Score(value)), differs);
    }
    if orders.force {
        score.set_changed();
    }
    seen.0.push((1, before));
}

#[system(Game)]
fn late(score: Res<Score>, mut seen: ResMut<Seen>) {
    seen.0.push((2, score.is_changed()));
}

#[system(Game)]
fn are_new(score: Res<Score>) -> bool {
    score.is_changed()
}

#[system(Game)]
fn count(mut other: ResMut<Other>) {
    other.0 += 1;
}

#[system(Game)]
fn each(ball: &mut Ball, score: Res<Score>) {
    ball.0 += u32::from(score.is_changed());
}

/// Runs the schedule, and returns what the watchers saw, the times that `count` ran, and those that
/// `each` saw a change.
fn tick(game: &mut Game) -> (Vec<(u8, bool)>, u32, u32) {
    game.resource_mut::<Seen>().0.clear();
    game.tick();
    let balls = game.query::<&Ball>().iter().map(|ball| ball.0).sum();
    (game.resource::<Seen>().0.clone(), game.resource::<Other>().0, balls)
}

fn seen(early: bool, touch: bool, late: bool) -> Vec<(u8, bool)> {
    vec![(0, early), (1, touch), (2, late)]
}

fn game() -> Game {
    let mut game = Game::default();
    game.spawn(Ball(0));
    game
}

#[test]
fn a_mutable_borrow_is_a_change_and_each_system_sees_it_once() {
    let mut game = game();
    assert_eq!(tick(&mut game), (seen(true, true, true), 1, 1), "in the first run everything is new");
    assert_eq!(tick(&mut game), (seen(false, false, false), 1, 1));
    game.resource_mut::<Orders>().write = true;
    assert_eq!(tick(&mut game), (seen(false, false, true), 2, 2));
    game.resource_mut::<Orders>().write = false;
    // `touch` does not see its own change
    assert_eq!(tick(&mut game), (seen(true, false, false), 2, 2));
    assert_eq!(tick(&mut game), (seen(false, false, false), 2, 2));
    game.resource_mut::<Orders>().set = Some(1);
    assert_eq!(tick(&mut game), (seen(false, false, false), 2, 2), "the value is equal already");
    game.resource_mut::<Orders>().set = Some(8);
    assert_eq!(tick(&mut game), (seen(false, false, true), 3, 3));
    *game.resource_mut::<Orders>() = Orders { force: true, ..Orders::default() };
    assert_eq!(tick(&mut game), (seen(true, false, true), 4, 4));
    *game.resource_mut::<Orders>() = Orders::default();
    assert_eq!(tick(&mut game).0, seen(true, false, false));
    game.resource_mut::<Score>();
    assert_eq!(tick(&mut game), (seen(true, true, true), 5, 5));
    assert_eq!(game.resource::<Score>(), &Score(8));
}

#[test]
fn changes_since_a_tick_are_told_outside_of_systems() {
    let mut game = game();
    let start = game.advance_tick();
    assert!(game.resource_changed_since::<Score>(ecs::system::Tick::START));
    assert!(!game.resource_changed_since::<Score>(start));
    game.resource_mut::<Orders>();
    assert!(!game.resource_changed_since::<Score>(start));
    game.resource_mut::<Score>();
    assert!(game.resource_changed_since::<Score>(start) && !game.resource_changed_since::<Other>(start));
    let later = game.advance_tick();
    assert!(!game.resource_changed_since::<Score>(later));
    game.resource_mut::<Orders>().write = true;
    game.tick();
    assert!(game.resource_changed_since::<Score>(later));
    let future = ecs::system::Tick::from_bits(u64::MAX);
    assert!(game.resource_changed_since::<Score>(future), "as the values of components");
}

#[test]
fn clones_and_snapshots_have_the_ticks() {
    let mut game = game();
    tick(&mut game);
    let (sent, before) = (game.advance_tick(), game.snapshot());
    let mut copy = game.clone();
    game.resource_mut::<Score>().0 = 3;
    assert!(game.resource_changed_since::<Score>(sent) && !copy.resource_changed_since::<Score>(sent));
    assert_eq!(tick(&mut game).0, seen(true, true, true));
    assert_eq!(tick(&mut copy).0, seen(false, false, false));
    game.restore(&before);
    assert!(!game.resource_changed_since::<Score>(sent));
    assert_eq!(tick(&mut game).0, seen(false, false, false));
    assert_eq!(game.hash(), copy.hash());
}

/// The tick of a resource is not in the file, so that tracked and untracked resources have one
/// format: a load is a change.
#[test]
fn a_load_is_one_change_of_each_tracked_resource() {
    let mut game = game();
    (0..3).for_each(|_| drop(tick(&mut game)));
    let sent = game.advance_tick();
    let (bytes, text) = (game.to_bytes().unwrap(), serde_json::to_string(&game).unwrap());
    for mut loaded in [Game::load(&bytes).unwrap(), serde_json::from_str(&text).unwrap()] {
        assert_eq!(loaded.hash(), game.hash());
        assert!(loaded.resource_changed_since::<Score>(sent));
        assert_eq!(tick(&mut loaded).0, seen(true, true, true));
        assert_eq!(tick(&mut loaded).0, seen(false, false, false));
    }
}

#[test]
fn what_systems_see_does_not_depend_on_threads() {
    let run = |parallelism: Parallelism| {
        let mut game = game();
        game.set_parallelism(parallelism);
        let mut all = Vec::new();
        for round in 0..24_u32 {
            *game.resource_mut::<Orders>() = Orders {
                write: round % 3 == 0,
                set: (round % 5 == 0).then_some(round / 2),
                force: round % 7 == 0,
            };
            all.push(tick(&mut game));
        }
        (all, game.hash())
    };
    let expected = run(Parallelism::Never);
    assert_eq!(run(Parallelism::Always), expected);
    assert!(expected.0.iter().any(|(seen, ..)| seen[2].1) && expected.0.iter().any(|(seen, ..)| !seen[2].1));
}

#[test]
fn made_without_a_world_a_resource_counts_as_changed() {
    let mut score = Score(1);
    assert!(are_new(Res::new(&score)));
    let mut borrowed = ResMut::new(&mut score);
    borrowed.set_changed();
    assert!(borrowed.is_changed() && borrowed.set_if_neq(Score(2)) && !borrowed.set_if_neq(Score(2)));
    assert_eq!(borrowed.into_inner(), &mut Score(2));
}
