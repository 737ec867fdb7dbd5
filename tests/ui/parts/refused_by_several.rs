//! Several mistakes of one kind (parts) in one program.
use ecs::prelude::*;

#[derive(Resource)]
struct Clock(f32);

world! {
    struct Game {
        components { place: parts_library::Position }
        include parts_library::physics;
        include weather::weather;
    }
}

// Two libraries give one name to two fields.
mod weather {
    use super::*;

    #[derive(Resource)]
    pub struct Clock;

    parts! {
        pub weather { resources { clock: Clock = Clock } }
    }
}

// A first value of another type.
parts! {
    physics {
        resources { clock: Clock = 1.0 }
    }
}

fn main() {}
