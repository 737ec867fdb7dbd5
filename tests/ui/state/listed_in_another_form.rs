//! An enum of states without its derive, and one that is listed itself.
use ecs::prelude::*;

#[derive(Clone, PartialEq, Eq, Debug)]
enum Phase {
    Menu,
    Play,
}

#[derive(States, Clone, PartialEq, Eq, Debug)]
enum Turn {
    Player,
    Enemy,
}

world! {
    struct Game {
        resources { State<Phase> = State::new(Phase::Menu), Turn = Turn::Player }
    }
    schedule tick { transition::<Phase>; start if in_state::<phase::Menu>; transition::<Turn>; end }
}

#[system(Game)]
fn start(mut phase: ResMut<State<Phase>>) {
    phase.set(Phase::Play);
}

#[system(Game)]
fn end(mut turn: ResMut<State<Turn>>) {
    turn.set(Turn::Enemy);
}

fn main() {
    Game::new().tick();
}
