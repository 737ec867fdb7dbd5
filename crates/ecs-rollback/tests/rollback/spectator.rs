//! A program without players.

use ecs::prelude::*;
use ecs_rollback::{PlayerType, Rollback, builder};

use crate::game::{Arena, Keys, arena, bad, bound, pressed, undisturbed};

#[test]
fn a_spectator_has_the_world_of_the_host() {
    let (host, watcher) = (bound(), bound());
    let (host_address, watcher_address) = (host.address().unwrap(), watcher.address().unwrap());
    let session = builder::<Arena, Keys>()
        .add_player(PlayerType::Local, 0)
        .and_then(|builder| builder.add_player(PlayerType::Local, 1))
        .and_then(|builder| builder.add_player(PlayerType::Spectator(watcher_address), 2))
        .and_then(|builder| builder.start_p2p_session(bad(host, 3)))
        .unwrap();
    let mut host = Rollback::new(arena(), session, Arena::tick);
    let session = builder::<Arena, Keys>().start_spectator_session(host_address, bad(watcher, 4));
    let mut watcher = Rollback::new(arena(), session, Arena::tick).hash_every(50);
    let mut rounds = 0;
    while watcher.frame() < 200 {
        // the host does not wait for spectators
        if host.frame() < watcher.frame() + 20 {
            let frame = host.frame();
            host.advance([0, 1].map(|player| (player, pressed(player, frame)))).unwrap();
        } else {
            host.poll();
        }
        watcher.advance([]).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(1));
        rounds += 1;
        assert!(rounds < 30_000, "{host:?} {watcher:?}");
    }
    assert_eq!(watcher.confirmed(), watcher.frame());
    assert_eq!(watcher.hash_at(200), Some(undisturbed(200, 0).hash()));
    assert_eq!(watcher.confirmed_hash(), watcher.hash_at(200).map(|hash| (200, hash)));
    assert!(watcher.world().entities().len() >= 2);
}
