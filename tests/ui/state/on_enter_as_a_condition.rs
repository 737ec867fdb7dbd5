//! The schedules of bevy that run at a transition, as conditions.
use ecs::prelude::*;

#[derive(States)]
enum Phase {
    Menu,
    Play,
}

world! {
    struct Game { resources { State<Phase> = State::new(Phase::Menu) } }
    schedule tick {
        start if OnEnter(Phase::Play);
        pause if OnExit(Phase::Menu);
        transition::<Phase>;
    }
}

#[system(Game)]
fn start(mut state: ResMut<State<Phase>>) {
    state.change::<phase::Menu, phase::Play>();
}
#[system(Game)]
fn pause(mut state: ResMut<State<Phase>>) {
    state.change::<phase::Play, phase::Menu>();
}

fn main() {
    Game::new().tick();
}
