//! Other forms of `include`, a schedule of bevy, a sub-state with the list of a state, and one of
//! the two derives of serde: the world is complete all the same.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

mod physics {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Mass(pub f32);

    parts! {
        pub physics {
            components { Mass }
            schedule step { fall }
        }
    }

    #[system]
    pub fn fall(mass: &mut Mass) {
        mass.0 += 1.0;
    }
}

#[derive(Component, Serialize, Deserialize)]
struct Position(f32);
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
    struct Imported {
        use physics::physics;
        #[derive(Clone)]
        components { Position }
    }
    schedule tick { include physics::step }
}

world! {
    struct Expanded {
        include!(physics::physics);
        components { Position }
    }
    schedule tick { include physics::step }
}

world! {
    struct Listed {
        components { include physics::physics; }
        resources { State<Phase> = State::new(Phase::Menu), State<Turn> = State::new(Turn::Player) }
    }
    schedule tick { include physics::step if Phase::Play; transition::<Phase>; transition::<Turn> }
    schedule OnEnter(Phase::Play) { include physics::step }
}

world! {
    #[derive(Serialize)]
    struct Saved { components { Position } }
}

fn main() {
    Imported::new().tick();
    Expanded::new().tick();
    Listed::new().tick();
    println!("{}", Saved::new().to_bytes().unwrap().len());
}
