//! Two libraries give one name to two fields.
use ecs::prelude::*;

mod weather {
    use super::*;

    #[derive(Resource)]
    pub struct Clock;

    parts! {
        pub weather { resources { clock: Clock = Clock } }
    }
}

world! {
    struct Game {
        include parts_library::physics;
        include weather::weather;
    }
}

fn main() {}
