//! Sessions without other programs, and mistakes in their use.

use ecs::prelude::*;
use ecs_rollback::{Inputs, Offline, PlayerType, Rollback, RollbackError, builder};

use crate::game::{Arena, Keys, Score, arena, pressed, undisturbed};

#[test]
fn a_local_game_is_the_game_without_a_session() {
    let mut world = arena();
    for frame in 0..500 {
        *world.resource_mut() =
            [0, 1].map(|player| pressed(player, frame)).into_iter().collect::<Inputs<Keys>>();
        world.tick();
    }
    let other = undisturbed(500, 0);
    assert_eq!(world.hash(), other.hash(), "{:?}", ecs::save::diff(&world, &other));
    assert!(
        other.resource::<Score>().0.iter().sum::<u32>() > 10,
        "shots hit: {:?}",
        other.resource::<Score>()
    );
}

#[test]
fn inputs_of_the_wrong_players_are_errors_and_change_nothing() {
    let session = builder::<Arena, Keys>()
        .add_player(PlayerType::Local, 0)
        .and_then(|builder| builder.add_player(PlayerType::Local, 1))
        .and_then(|builder| builder.start_p2p_session(Offline))
        .unwrap();
    let mut game = Rollback::new(arena(), session, Arena::tick);
    let keys = Keys::default();
    assert_eq!(game.advance([(0, keys), (2, keys)]), Err(RollbackError::NotLocal { player: 2 }));
    let missing = game.advance([(0, keys)]).unwrap_err();
    assert_eq!(missing, RollbackError::MissingInput { player: 1 });
    assert_eq!(missing.to_string(), "no input for the local player 1");
    assert_eq!(game.frame(), 0);
    assert!(game.advance([(0, keys), (1, keys)]).is_ok());
    assert_eq!((game.frame(), game.confirmed()), (1, 1));
    assert!(game.disconnect(0).is_err(), "a local player stays");
}
