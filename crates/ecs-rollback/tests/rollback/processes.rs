//! Two programs in two processes: this test starts itself again as the second one.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::game::{Arena, bad, bound, pressed, undisturbed};
use crate::pairs::{Game, game};

const FRAMES: u32 = 300;
/// The frames that a program predicts at most.
const PREDICTED: u32 = 8;

/// Runs a game until the other program has certainly confirmed the frames, too: it has sent an
/// input that it could only have with the inputs up to there. Returns the hash.
fn play_alone(game: &mut Game, player: usize) -> Option<u64> {
    let begin = Instant::now();
    while game.confirmed() < FRAMES + PREDICTED + 1 && begin.elapsed() < Duration::from_secs(60) {
        let keys = pressed(player, game.frame());
        game.advance([(player, keys)]).expect("the session goes on");
        let gone = |event: &ecs_rollback::SessionEvent<_>| {
            matches!(event, ecs_rollback::SessionEvent::Interrupted { .. })
        };
        // the other program has ended first
        if game.events().iter().any(gone) && game.hash_at(FRAMES).is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    game.hash_at(FRAMES)
}

#[test]
fn two_processes_over_a_bad_network_have_the_world_of_one() {
    const OTHER: &str = "ECS_ROLLBACK_OTHER";
    let socket = bound();
    let own = socket.address().unwrap();
    println!("port {}", own.port());
    if let Ok(other) = std::env::var(OTHER) {
        let mut game = game(1, other.parse().expect("an address"), bad(socket, 8), 0, Arena::tick);
        println!("hash {:?}", play_alone(&mut game, 1));
        return;
    }
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::two_processes_over_a_bad_network_have_the_world_of_one", "--nocapture"])
        .env(OTHER, own.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program starts again");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let after = |line: String, key: &str| line.split_once(key).map(|(_, rest)| rest.to_owned());
    let port = lines.find_map(|line| after(line, "port ")).expect("it tells its port");
    let other = format!("127.0.0.1:{port}").parse().unwrap();
    let mut game = game(0, other, bad(socket, 9), 0, Arena::tick);
    let hash = play_alone(&mut game, 0);
    let theirs = lines.find_map(|line| after(line, "hash ")).expect("it tells its hash");
    assert!(child.wait().unwrap().success());
    assert_eq!(hash, Some(ecs::save::Saved::hash(&undisturbed(FRAMES, 0))));
    assert_eq!(theirs, format!("{hash:?}"));
}
