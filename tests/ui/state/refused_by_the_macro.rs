//! Several mistakes of one kind (state) in one program: the macros report them.
use ecs::prelude::*;
use ecs::state::{SubState, transition};

#[derive(States)]
#[state(to(Play))]
enum Phase {
    #[states(to(Play))]
    Menu,
    Play,
}
#[derive(States)]
enum Screen {
    Menu,
    Play,
}
#[derive(States)]
struct Level(u32);

world! {
    struct Game { resources { SubState<Screen> = SubState::new(), State<Phase> = Phase::Menu } }
    schedule frame { transition::<Screen> }
}

// A state that is listed as a sub-state.
fn state_listed_as_a_sub_state() {
    Game::new().frame();
}

fn main() {}
