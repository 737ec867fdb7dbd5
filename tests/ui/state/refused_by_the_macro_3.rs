//! Several mistakes of one kind (state) in one program: the macros report them.
use ecs::prelude::*;

#[derive(States)]
enum Phase<const N: usize> {
    Menu,
    Play,
}
#[derive(States)]
#[states(scoped, module)]
enum Options {
    #[state(from(Play))]
    Menu,
    #[state(to = Over)]
    Play,
    #[state]
    Over,
}
#[derive(States)]
enum UnknownState {
    #[state(to(Plan, Closed))]
    Menu,
    #[state(to(Menu, Menu))]
    Play,
}
#[derive(States)]
#[states(within = unknown_state::Play)]
enum FirstWithData {
    Level { number: u32 },
    Over(u32),
}
#[derive(States)]
#[states(within = unknown_state::Play, computed)]
enum TwoResources {
    Calm,
    Fast,
}

// A transition to a variant that the enum does not have.
fn unknown_state() {
    State::new(UnknownState::Menu).change::<phase::Menu, phase::Play>();
}

fn main() {}
