//! Two programs in one process.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_rollback::{DesyncDetection, NonBlockingSocket, PlayerType, Rollback, SessionEvent, builder};

use crate::game::{Arena, Keys, arena, bad, bound, pressed, undisturbed};

pub(crate) type Game = Rollback<Arena, Keys>;

pub(crate) fn game(
    player: usize,
    other: SocketAddr,
    socket: impl NonBlockingSocket<SocketAddr> + 'static,
    delay: usize,
    tick: fn(&mut Arena),
) -> Game {
    let session = builder::<Arena, Keys>()
        .with_desync_detection_mode(DesyncDetection::On { interval: 10 })
        .with_input_delay(delay)
        .with_disconnect_timeout(Duration::from_secs(20))
        .add_player(PlayerType::Local, player)
        .and_then(|builder| builder.add_player(PlayerType::Remote(other), 1 - player))
        .and_then(|builder| builder.start_p2p_session(socket))
        .expect("a local and a remote player");
    Rollback::new(arena(), session, tick)
}

/// Runs both until each has confirmed a number of frames. Returns the number of frames that were
/// run again, and the desyncs.
pub(crate) fn play(games: &mut [Game; 2], frames: u32) -> (u32, Vec<SessionEvent<SocketAddr>>) {
    let (mut again, mut desyncs, begin) = (0, Vec::new(), Instant::now());
    // a program that has confirmed the frame goes on until the other has, too
    while games.iter().any(|game| game.confirmed() < frames) && desyncs.is_empty() {
        let mut waiting = true;
        for (player, game) in games.iter_mut().enumerate() {
            let keys = pressed(player, game.frame());
            let progress = game.advance([(player, keys)]).expect("the session goes on");
            again += progress.again;
            waiting &= progress.is_waiting();
            desyncs.extend(
                game.events().into_iter().filter(|event| matches!(event, SessionEvent::Desync { .. })),
            );
        }
        if waiting {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(begin.elapsed() < Duration::from_secs(100), "no progress: {games:?}");
    }
    (again, desyncs)
}

#[test]
fn two_programs_over_a_bad_network_have_the_world_of_one() {
    for delay in [0, 2] {
        let sockets = [bound(), bound()];
        let [one, two] = [sockets[0].address().unwrap(), sockets[1].address().unwrap()];
        let [first, second] = sockets;
        let mut games = [
            game(0, two, bad(first, 1), delay, Arena::tick),
            game(1, one, bad(second, 2), delay, Arena::tick),
        ];
        let (again, desyncs) = play(&mut games, 600);
        assert_eq!(desyncs, []);
        assert!(again > 100, "{again} frames were run again");
        let expected = undisturbed(600, delay as u32).hash();
        assert_eq!(games.map(|game| game.hash_at(600)), [Some(expected); 2]);
    }
}

#[test]
fn a_program_waits_for_the_other_and_goes_on_without_it_when_it_has_disconnected() {
    let sockets = [bound(), bound()];
    let [one, two] = [sockets[0].address().unwrap(), sockets[1].address().unwrap()];
    let [first, second] = sockets;
    let mut games = [game(0, two, first, 0, Arena::tick), game(1, one, second, 0, Arena::tick)];
    assert!(games[0].advance([(0, Keys::default())]).unwrap().is_waiting(), "nobody has answered");
    play(&mut games, 50);
    let [mut left, _] = games;
    let before = left.frame();
    for _ in 0..100 {
        left.advance([(0, Keys::default())]).unwrap();
    }
    assert!(left.frame() <= before + 8, "it predicts no more than 8 frames");
    left.disconnect(1).unwrap();
    for _ in 0..100 {
        left.advance([(0, Keys::default())]).unwrap();
    }
    assert!(left.frame() >= before + 90);
    assert!(left.world().resource::<ecs_rollback::Inputs<Keys>>().is_gone(1));
    assert!(left.disconnect(1).is_err());
}
