//! Worlds that depend on something outside of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI32, Ordering};

use ecs::prelude::*;
use ecs_rollback::{Rollback, RollbackError, SessionEvent, builder};

use crate::game::{Arena, Keys, Place, arena, bound, pressed};
use crate::pairs::{game, play};

/// Adds a number that is no part of the world.
fn tick_with_a_static(arena: &mut Arena) {
    static CALLS: AtomicI32 = AtomicI32::new(0);
    arena.tick();
    let calls = CALLS.fetch_add(1, Ordering::Relaxed);
    if calls > 20 {
        let mut places = arena.query_mut::<&mut Place>();
        places.iter_mut().for_each(|place| place.0 += calls % 2);
    }
}

#[test]
fn a_synctest_names_the_frame_and_the_values_that_differ() {
    let session = builder::<Arena, Keys>().with_check_distance(3).start_synctest_session().unwrap();
    let mut game = Rollback::new(arena(), session, tick_with_a_static);
    let error = (0..100)
        .find_map(|frame| game.advance([0, 1].map(|player| (player, pressed(player, frame)))).err())
        .expect("the world is not deterministic");
    let text = error.to_string();
    let RollbackError::NotDeterministic { frame, differences } = error else { panic!("{text}") };
    assert!((4..=20).contains(&frame), "frame {frame}");
    assert!(differences.iter().any(|one| one.path.starts_with("Place")), "{text}");
    assert!(text.contains(" Place: ") && text.contains("something outside of the world"), "{text}");
    // the other frames that the session has asked for were not run
    let error = game.advance([0, 1].map(|player| (player, Keys::default()))).unwrap_err();
    assert!(matches!(error, RollbackError::Broken { .. }), "{error}");
}

/// Panics in one frame.
fn tick_that_panics(arena: &mut Arena) {
    static CALLS: AtomicI32 = AtomicI32::new(0);
    arena.tick();
    assert_ne!(CALLS.fetch_add(1, Ordering::Relaxed), 30, "the roof falls in");
}

/// A session that went on would count a frame more than the world has run.
#[test]
fn a_session_does_not_go_on_after_a_panic_of_a_frame() {
    let session = builder::<Arena, Keys>().with_check_distance(2).start_synctest_session().unwrap();
    let mut game = Rollback::new(arena(), session, tick_that_panics);
    let inputs = |frame| [0, 1].map(|player| (player, pressed(player, frame)));
    let mut advance = |frame| catch_unwind(AssertUnwindSafe(|| game.advance(inputs(frame)).map(drop)));
    let first = (0..50).find(|&frame| advance(frame).is_err()).expect("a frame panics");
    let error = advance(first).expect("no panic").unwrap_err();
    assert!(
        error.to_string().starts_with("the session cannot go on: a frame was not run to its end"),
        "{error}"
    );
    let _ = game.into_world().hash();
}

/// The world of the second program gets one more.
fn other_tick(arena: &mut Arena) {
    arena.tick();
    let mut places = arena.query_mut::<&mut Place>();
    places.iter_mut().for_each(|place| place.0 = (place.0 + 1).min(20));
}

#[test]
fn two_programs_with_other_rules_notice_it() {
    let sockets = [bound(), bound()];
    let [one, two] = [sockets[0].address().unwrap(), sockets[1].address().unwrap()];
    let [first, second] = sockets;
    let mut games = [game(0, two, first, 0, Arena::tick), game(1, one, second, 0, other_tick)];
    let (_, desyncs) = play(&mut games, 600);
    let event = desyncs.first().expect("a desync is found");
    let SessionEvent::Desync { frame, ours, theirs, .. } = event else { panic!("{event}") };
    assert_eq!(*frame, 10, "the hashes are compared first there");
    assert_ne!(ours, theirs);
    assert!(event.to_string().starts_with("the worlds differ at frame 10: the hash is "), "{event}");
}
