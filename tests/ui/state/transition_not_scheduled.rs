//! A state whose transition no schedule names.
use ecs::prelude::*;
use ecs::state::{ComputedState, DespawnOnEnter, SubState, in_state, transition};

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
    struct Game { resources { State<Phase> = State::new(Phase::Menu) } }
    schedule frame { start if in_state::<phase::Menu> }
}

world! {
    struct Board { resources { State<Phase> = State::new(Phase::Menu), turn: SubState<Turn> = SubState::new() } }
    schedule frame { transition::<Phase>; play if in_state::<turn::Player> }
}

#[derive(States)]
#[states(computed)]
enum Music {
    Fast,
}
world! {
    struct Concert {
        components { DespawnOnEnter<Music> }
        resources { music: ComputedState<Music> = ComputedState::new() }
    }
    schedule frame { play if in_state::<music::Fast> }
}

#[system]
fn start(mut phase: ResMut<State<Phase>>) {
    phase.change::<phase::Menu, phase::Play>();
}
#[system]
fn play() {}

fn main() {}
