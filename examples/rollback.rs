//! Rollback: two players on a line, and inputs of one that come three ticks late. The game goes on with what it guesses;
//! when it was wrong it goes back to a snapshot, and plays the ticks in between anew. Only pages of values that were
//! touched are copied, so that a snapshot of every tick is cheap.

use std::collections::VecDeque;

use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Place(i32);
#[derive(Component, Clone)]
struct Player(usize);
#[derive(Component, Clone, PartialEq, Debug)]
struct Coin(u32);

/// What the players press in a tick: a step to the left, none, or a step to the right.
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

/// A coin in every second tick. What a system remembers goes back, too.
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

/// What the players press in the tick of this number.
fn pressed(tick: usize) -> Inputs {
    let theirs = [1, 1, 1, -1, -1, -1, -1, 0, 0, 1, 1, 1];
    let ours = [-1, -1, 0, 0, 1, 1, 0, 1, -1, -1, 0, 0];
    Inputs([ours[tick], theirs[tick]])
}

const TICKS: usize = 12;
/// How many ticks the inputs of the other player take to us.
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

/// All that there is, to be compared.
fn seen(game: &Match) -> (Vec<(Entity, i32)>, Score) {
    let places = game.query::<(Entity, &Place)>();
    (places.iter().map(|(entity, place)| (entity, place.0)).collect(), game.resource::<Score>().clone())
}

fn main() {
    let mut game = new_match();
    // what was before each of the last ticks, and the inputs with which each was played
    let mut past: VecDeque<(Snapshot<Match>, Inputs)> = VecDeque::new();
    let mut guess = 0;
    for tick in 0..TICKS + LATE {
        // an input of the other player arrives, for the oldest of the ticks that are kept: was it what we guessed?
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
            let inputs = Inputs([pressed(tick).0[0], guess]); // they press what they pressed last, we say
            past.push_back((game.snapshot(), inputs));
            step(&mut game, inputs);
        }
    }

    // the same with all inputs known in time
    let mut known = new_match();
    (0..TICKS).for_each(|tick| step(&mut known, pressed(tick)));

    println!("score: {:?}, in time: {:?}", game.resource::<Score>().0, known.resource::<Score>().0);
    assert_eq!(seen(&game), seen(&known));
    println!("both timelines agree, ids included: {:?}", seen(&game).0);
}
