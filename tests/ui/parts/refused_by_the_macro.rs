//! Several mistakes of one kind (parts) in one program: the macros report them.
use ecs::prelude::*;
use parts_library::pool::{Supply, pool};

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);
struct Mana;
struct Health;
impl Supply for Mana {
    const GAIN: u32 = 1;
}
impl Supply for Health {
    const GAIN: u32 = 1;
}
#[derive(Resource)]
pub struct Clock(f32);

world! {
    struct Game {
        include parts_library::physics if on;
        include pool::<Mana>;
        include pool::<Health>;
    }
    schedule tick { include parts_library::step }
}

// Two fields of one name.
parts! {
    physics {
        components { body: Position, body: Velocity }
    }
}

// A condition of compilation in parts.
parts! {
    rigid {
        #[cfg(unix)]
        include parts_library::physics;
    }
}

// A condition for parts of a world.
#[system]
fn on() -> bool {
    true
}

// A schedule of parts that runs another one.
parts! {
    schedule_in_a_schedule {
        components { Position }
        resources { clock: Clock }
        schedule step { movement }
        schedule twice { step }
    }
}

#[system]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
