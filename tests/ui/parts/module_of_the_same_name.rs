//! Parts with the name of a module in the same place.
use ecs::prelude::*;

mod physics {
    #[derive(ecs::Component)]
    pub struct Position(f32);
}

parts! {
    physics {
        components { physics::Position }
    }
}

fn main() {}
