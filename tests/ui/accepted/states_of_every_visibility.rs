//! Enums of states with every visibility, in every place; several states in one saved world.
#![deny(warnings)]
use ecs::prelude::*;
use ecs::state::{DespawnOnExit, SubState, despawn_on_exit, entered, in_state, sub_transition, transition};
use serde::{Deserialize, Serialize};

pub mod game {
    pub mod inner {
        use ecs::prelude::*;
        use serde::{Deserialize, Serialize};

        #[derive(States, Clone, Serialize, Deserialize)]
        pub enum Phase {
            Menu,
            Play,
        }
        #[derive(States, Clone, Serialize, Deserialize)]
        pub(crate) enum Menu {
            Main,
            Options,
        }
        #[derive(States, Clone, Serialize, Deserialize)]
        #[states(within = phase::Play)]
        pub(in crate::states_of_every_visibility::game) enum Turn {
            Player,
            Monsters,
        }
        #[derive(States)]
        pub(super) enum Door {
            Open,
            Closed,
        }
        #[derive(States)]
        pub(in super::super) enum Lock {
            Open,
            Closed,
        }
        #[derive(States)]
        pub(self) enum Lamp {
            On,
            Off,
        }
        pub fn toggle() -> bool {
            State::new(Lamp::On).change::<lamp::On, lamp::Off>()
        }
    }

    pub fn toggle() -> bool {
        use ecs::prelude::*;
        State::new(inner::Door::Open).change::<inner::door::Open, inner::door::Closed>()
            && ecs::state::SubState::<inner::Turn>::new().change::<inner::turn::Player, inner::turn::Monsters>()
            && inner::toggle()
    }
}

pub fn toggle() -> bool {
    use game::inner::{Lock, lock};
    #[derive(States)]
    enum Local {
        On,
        Off,
    }
    State::new(Lock::Open).change::<lock::Open, lock::Closed>()
        && State::new(Local::On).change::<local::On, local::Off>()
        && game::toggle()
}

use game::inner::{Menu, Phase, menu, phase};

#[derive(States, Clone, Serialize, Deserialize)]
#[states(within = phase::Play)]
enum Turn {
    Player,
    Monsters,
}

world! {
    #[derive(Clone, Serialize, Deserialize, Reflect)]
    struct Game {
        components { phase_entities: DespawnOnExit<Phase>, turn_entities: DespawnOnExit<Turn> }
        resources {
            phase: State<Phase> = State::new(Phase::Menu),
            menu: State<Menu> = State::new(Menu::Main),
            turn: SubState<Turn> = SubState::new(),
        }
    }
    schedule frame {
        transition::<Phase>, transition::<Menu>;
        sub_transition::<Turn>;
        despawn_on_exit::<Phase>, despawn_on_exit::<Turn>;
        play if in_state::<phase::Play> && (in_state::<turn::Player> || entered::<turn::Monsters>);
        show if in_state::<menu::Main> || in_state::<menu::Options>;
    }
}

#[system(Game)]
fn play(mut commands: Commands<Game>) {
    commands.spawn((DespawnOnExit(Phase::Menu), DespawnOnExit(Turn::Player)));
    commands.spawn((DespawnOnExit(Phase::Play), DespawnOnExit(Turn::Monsters)));
}

#[system(Game)]
fn show(mut menu: ResMut<State<Menu>>) {
    menu.change::<menu::Main, menu::Options>();
}

pub fn main() {
    let mut game = Game::new();
    game.resource_mut::<State<Phase>>().change::<phase::Menu, phase::Play>();
    game.frame();
    let mut loaded = Game::load(&game.to_bytes().unwrap()).unwrap();
    game.frame();
    loaded.frame();
    assert_eq!(game.hash(), loaded.hash());
    assert!(game.resource::<State<Menu>>().is(Menu::Options) && game.entities().len() == 4);
    assert!(toggle() || !toggle());
}
