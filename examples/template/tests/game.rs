//! The rules, played without a window.

use ecs::prelude::*;
use ecs::save::Saved;
use my_game::game::{Cell, Coin, Game, Player, SIZE, Score, Step, start};
use my_game::save::{load, save};

/// A game after these steps, one in each tick.
fn played(steps: &[(i32, i32)]) -> Game {
    let mut game = start();
    for &(x, y) in steps {
        game.send(Step(x, y));
        game.tick();
    }
    game
}

fn place(game: &Game) -> Cell {
    *game
        .query::<&Cell>()
        .filter::<With<Player>>()
        .single()
        .expect("there is one player")
}

#[test]
fn the_player_stays_on_the_field() {
    let game = played(&[(-1, 0); 100]);
    assert_eq!(
        place(&game),
        Cell {
            x: 0,
            y: SIZE.1 / 2
        }
    );
    let game = played(&[(0, 1); 100]);
    assert_eq!(
        place(&game),
        Cell {
            x: SIZE.0 / 2,
            y: SIZE.1 - 1
        }
    );
}

#[test]
fn a_coin_is_taken_and_another_one_falls() {
    let mut game = start();
    game.tick();
    let coins = game.query::<&Coin>().len();
    let here = place(&game);
    game.spawn((here, Coin(7)));
    game.tick();
    assert_eq!(game.resource::<Score>(), &Score(7));
    assert_eq!(game.query::<&Coin>().len(), coins);
}

#[test]
fn the_same_steps_are_the_same_game() {
    let steps = [(1, 0), (0, 1), (1, 0), (-1, 0), (0, -1)].repeat(20);
    assert_eq!(played(&steps).hash(), played(&steps).hash());
}

#[test]
fn a_saved_game_goes_on_as_if_nothing_had_happened() {
    let path = std::env::temp_dir().join(format!("my-game-{}.json", std::process::id()));
    let mut game = played(&[(1, 0); 9]);
    save(&game, &path).expect("the folder can be written");
    let mut loaded = load(&path).expect("it was saved");
    assert_eq!(game.hash(), loaded.hash());
    for game in [&mut game, &mut loaded] {
        game.send(Step(0, 1));
        game.tick();
    }
    assert_eq!(game.hash(), loaded.hash());
    std::fs::write(&path, "{\"components\": 7}").expect("the folder can be written");
    assert!(load(&path).is_err(), "a file that is no save is an error");
    std::fs::remove_file(&path).expect("it is there");
    assert!(load(&path).is_err(), "a file that is not there is an error");
}
