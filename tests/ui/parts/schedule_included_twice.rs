//! A schedule of a library that is included twice in one schedule.
use ecs::prelude::*;

mod library {
    use super::*;

    #[derive(Component)]
    pub struct Position(f32);

    parts! {
        pub physics {
            components { Position }
            schedule step { movement }
        }
    }

    #[system]
    pub fn movement(position: &mut Position) {
        position.0 += 1.0;
    }
}

world! {
    struct Game {
        include library::physics;
    }
    schedule tick { include library::step; include library::step }
}

fn main() {}
