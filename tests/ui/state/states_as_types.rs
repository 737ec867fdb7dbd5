//! Variants in place of their types, and types in place of variants.

use ecs::prelude::*;
use ecs::state::{SubState, sub_transition};

#[derive(States)]
enum Screen {
    Menu,
    Play,
}

#[derive(States)]
#[states(within = Screen::Play)]
enum Turn {
    Player,
    Monsters,
}

#[derive(States)]
#[states(initial = Sun)]
enum Weather {
    Sun,
    Rain,
}

world! {
    struct Game {
        resources {
            State<Screen> = State::new(Screen::Menu),
            State<Weather> = State::new(Weather::Sun),
            SubState<Turn> = SubState::new(),
        }
    }
    schedule tick { begin, end_turn, pour; transition::<Screen>; sub_transition::<Turn>; transition::<Weather> }
}

#[system(Game)]
fn begin(mut screen: ResMut<State<Screen>>) {
    screen.change::<Screen::Menu, Screen::Play>();
}

#[system(Game)]
fn end_turn(mut turn: ResMut<SubState<Turn>>) {
    turn.change::<turn::Player, turn::Monsters>();
}

#[system(Game)]
fn pour(mut weather: ResMut<State<Weather>>) {
    let _ = weather.set(weather::Rain);
}

fn main() {
    Game::new().tick();
}
