//! Several mistakes of one kind (state) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::state::{despawn_on_exit, transition};

#[derive(States)]
enum Phase {
    Menu,
    Play,
}
#[derive(States)]
#[states(within = Phase)]
enum Turn {
    Player,
    Monsters,
}

world! {
    struct Game { resources { State<Phase> = State::new(Phase::Menu) } }
    schedule frame { transition::<Phase>; despawn_on_exit::<Phase> }
}

fn main() {}
