//! A state that the world does not list, and sub-states with the attribute of a variant.
use ecs::prelude::*;
use ecs::state::{SubState, sub_transition};

#[derive(States, Clone, PartialEq, Eq, Debug)]
enum Phase {
    Menu,
    Play,
}

#[derive(States, Clone, PartialEq, Eq, Debug)]
#[state(within = phase::Play)]
enum Turn {
    Player,
    Enemy,
}

world! {
    struct Game {
        resources { SubState<Turn> = SubState::new() }
    }
    schedule tick {
        transition::<Phase>; sub_transition::<Turn>;
        start if in_state::<phase::Menu>; end if in_state::<turn::Player>
    }
}

#[system(Game)]
fn start(mut phase: ResMut<State<Phase>>) {
    let _ = phase.set(Phase::Play);
}

#[system(Game)]
fn end(turn: Res<SubState<Turn>>) {
    println!("{:?}", *turn);
}

fn main() {
    let mut game = Game::new();
    game.tick();
    println!("{:?}", game.resource::<State<Phase>>());
}
