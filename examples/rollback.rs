//! Rollback: two players on a line; the inputs of one arrive three ticks late. The game guesses
//! these inputs. After a wrong guess it restores a snapshot and plays the ticks since then again. A
//! snapshot of every tick is cheap, since only touched pages of values are copied.

use std::collections::VecDeque;

use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Place(i32);
#[derive(Component, Clone)]
struct Player(usize);
#[derive(Component, Clone, PartialEq, Debug)]
struct Coin(u32);

/// The inputs of the players in a tick: a step to the left, none, or a step to the right.
#[derive(Resource, Clone, Copy, Default, PartialEq, Debug)]
struct Inputs([i32; 2]);
#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Score([u32; 2]);

#[derive(Event, Clone)]
struct Taken(usize, u32);

world! {
    #[derive(Clone)]                            // what can be copied has snapshots
    struct Match {
        components { Place, Player, Coin }
        resources { inputs: Inputs = Inputs::default(), score: Score = Score::default() }
        events { Taken }
    }
    schedule tick { walk, drop_coins; take; count; }
}

#[system(Match)]
fn walk(place: &mut Place, player: &Player, inputs: Res<Inputs>) {
    place.0 += inputs.0[player.0];
}

/// Drops a coin in every second tick. A snapshot restores the `Local`, too.
#[system(Match)]
fn drop_coins(mut ticks: Local<u32>, mut commands: Commands<Match>) {
    *ticks += 1;
    if ticks.is_multiple_of(2) {
        commands.spawn((Place((*ticks as i32 * 7) % 5 - 2), Coin(*ticks)));
    }
}

#[system(Match)]
fn take(
    players: Query<(&Place, &Player)>,
    coins: Query<(Entity, &Place, &Coin)>,
    mut taken: EventWriter<Taken>,
    mut commands: Commands<Match>,
) {
    for (coin, there, value) in &coins {
        if let Some((_, player)) = players.iter().find(|(here, _)| *here == there) {
            taken.send(Taken(player.0, value.0));
            commands.despawn(coin);
        }
    }
}

#[system(Match)]
fn count(mut taken: EventReader<Taken>, mut score: ResMut<Score>) {
    for Taken(player, value) in &mut taken {
        score.0[*player] += value;
    }
}

/// The inputs of a tick.
fn pressed(tick: usize) -> Inputs {
    let theirs = [1, 1, 1, -1, -1, -1, -1, 0, 0, 1, 1, 1];
    let ours = [-1, -1, 0, 0, 1, 1, 0, 1, -1, -1, 0, 0];
    Inputs([ours[tick], theirs[tick]])
}

const TICKS: usize = 12;
/// The delay of the other player's inputs, in ticks.
const LATE: usize = 3;

fn new_match() -> Match {
    let mut game = Match::new();
    game.spawn_batch([(Place(-1), Player(0)), (Place(1), Player(1))]);
    game
}

fn step(game: &mut Match, inputs: Inputs) {
    *game.resource_mut() = inputs;
    game.tick();
}

/// The state of the game, for comparisons.
fn seen(game: &Match) -> (Vec<(Entity, i32)>, Score) {
    let places = game.query::<(Entity, &Place)>();
    (places.iter().map(|(entity, place)| (entity, place.0)).collect(), game.resource::<Score>().clone())
}

fn main() {
    let mut game = new_match();
    // a snapshot before each of the last ticks, and its inputs
    let mut past: VecDeque<(Snapshot<Match>, Inputs)> = VecDeque::new();
    let mut guess = 0;
    for tick in 0..TICKS + LATE {
        // an input of the other player arrives, for the oldest kept tick: compare it with the guess
        if let Some(sent) = tick.checked_sub(LATE) {
            let (known, guessed) = (pressed(sent), past[0].1);
            if guessed != known {
                println!(
                    "tick {tick:2}: in tick {sent} they pressed {:+}, not {:+}",
                    known.0[1], guessed.0[1]
                );
                guess = known.0[1];
                game.restore(&past[0].0);
                for (at, (snapshot, inputs)) in past.iter_mut().enumerate() {
                    *inputs = if at == 0 { known } else { Inputs([inputs.0[0], guess]) };
                    *snapshot = game.snapshot();
                    step(&mut game, *inputs);
                }
            }
            past.pop_front();
        }
        if tick < TICKS {
            let inputs = Inputs([pressed(tick).0[0], guess]); // the guess: the same input as in the last tick
            past.push_back((game.snapshot(), inputs));
            step(&mut game, inputs);
        }
    }

    // the same game with all inputs in time
    let mut known = new_match();
    (0..TICKS).for_each(|tick| step(&mut known, pressed(tick)));

    println!("score: {:?}, in time: {:?}", game.resource::<Score>().0, known.resource::<Score>().0);
    assert_eq!(seen(&game), seen(&known));
    println!("both timelines agree, ids included: {:?}", seen(&game).0);
}
