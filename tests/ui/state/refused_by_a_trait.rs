//! Several mistakes of one kind (state) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::state::{ComputedState, SubState, compute_state, sub_transition, transition};

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

#[derive(States)]
#[states(computed)]
enum Music {
    Fast,
}

world! {
    struct Game {
        resources {
            State<Phase> = State::new(Phase::Menu), SubState<Turn> = SubState::new(),
            ComputedState<Music> = ComputedState::new()
        }
    }
    schedule computed_tick { transition::<Music>; phase_now | compute_state::<Phase> }
    schedule frame { sub_transition::<Phase> }
    schedule transition_of_sub_states_tick { transition::<Phase>; transition::<Turn> }
}

#[system(Game)]
fn phase_now() -> Option<Phase> {
    None
}

fn main() {}
