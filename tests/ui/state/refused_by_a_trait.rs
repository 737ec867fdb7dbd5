//! Several mistakes of one kind (state) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::state::sub_transition;
use ecs::state::{SubState, transition};

#[derive(States)]
enum Phase {
    Menu,
    Play,
}
#[derive(States)]
#[states(within = phase::Play)]
enum Turn {
    Player,
    Monsters,
}

world! {
    struct Game {
        resources { State<Phase> = State::new(Phase::Menu), SubState<Turn> = SubState::new() }
    }
    schedule frame { sub_transition::<Phase> }
    schedule transition_of_sub_states_tick { transition::<Phase>; transition::<Turn> }
}

fn main() {}
