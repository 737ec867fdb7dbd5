//! A transition that the enum does not list, requested by its types.
use ecs::prelude::*;
use ecs::state::transition;

#[derive(States)]
enum Phase {
    #[state(to(Play))]
    Menu,
    #[state(to(Over))]
    Play,
    #[state(to(Menu))]
    Over,
    Level(u8),
}

world! {
    struct Game {
        resources { State<Phase> = State::new(Phase::Menu) }
    }
    schedule frame { skip; transition::<Phase> }
}

#[system(Game)]
fn skip(mut state: ResMut<State<Phase>>) {
    state.change::<phase::Menu, phase::Over>();
    state.change::<phase::Over, phase::Level>();
}

fn main() {}
