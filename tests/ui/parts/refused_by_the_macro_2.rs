//! Several mistakes of one kind (parts) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);
#[derive(Component)]
pub struct Pool(u32);

world! {
    struct Game {
        include parts_library::physics;
        include parts_library::physics;
    }
}

// A schedule of parts that includes another.
parts! {
    physics {
        components { Position, Velocity }
        schedule step { movement }
        schedule twice { include step }
    }
}

#[system]
pub fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

// Parts with a lifetime.
parts! {
    pub pool<'a> {
        components { Pool }
    }
}

// Parts give options to the entries of parts that they include.
parts! {
    rigid {
        include parts_library::physics { Bumped(keep = 3) };
    }
}

fn main() {}
