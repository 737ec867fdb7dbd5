//! Several mistakes of one kind (parts) in one program.
use ecs::prelude::*;
use parts_library::pool::{Stamina, pool};

#[derive(Component)]
struct Goblin;
#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);
#[derive(Component)]
pub struct Slots<const N: usize>([u8; N]);

world! {
    struct Game {
        components { parts_library::Position }
        include parts_library::physics::<Goblin>;
        include parts_library::pool::census;
        include parts_library::pool::census::<Goblin>;
        include parts_library::pool::census::<Goblin, 3>;
        include parts_library::physics;
        include parts_library::fire::fire;
        include pool::<Stamina> as first;
        include pool::<Stamina> as second;
        include parts_library::step;
    }
    schedule tick { include parts_library::pool::take_census, include parts_library::physics }
    schedule before_a_system_of_the_world_tick -> Result {
        include parts_library::step { before trace { wind } after bounce { trace } }
    }
    schedule before_several_systems_tick -> Result {
        include parts_library::fire::burn { before flames { wind } }, trace
    }
    schedule before_unknown_system_tick -> Result {
        include parts_library::step { before bonce { wind } }, trace
    }
    schedule before_without_a_word_tick -> Result { include parts_library::step { wind }, trace }
    schedule before_without_braces_tick -> Result {
        include parts_library::step { before bounce: wind }, trace
    }
}

world! {
    struct ScheduleIncludedTwiceGame { include library::physics; }
    schedule tick { include library::step; include library::step }
}

// The order of two systems of the world, as if it were one with an included system.
#[system]
fn wind() {}

#[system]
fn trace() {}

// Parts that are called like a macro.
parts_library::physics!();

// A component that is listed twice.
parts! {
    physics {
        components { Position, Velocity, place: Position }
    }
}

// A constant without a default.
parts! {
    pub slots<const N: usize> {
        components { Slots<N> }
    }
}

// Parts list a component of parts that they include.
parts! {
    rigid {
        include parts_library::physics;
        components { parts_library::Velocity }
    }
}

// Parts with the name of the macro.
parts! {
    pub parts {
        components { Position }
    }
}

// Parts without a name.
parts! {
    components { Position, Velocity }
    schedule step { }
}

// A schedule stands behind the braces, as in a world.
parts! {
    schedule_behind_the_braces {
        components { Position, Velocity }
    }
    schedule step { movement }
}

#[system]
pub fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

// A schedule without systems.
parts! {
    schedule_without_braces {
        components { Position, Velocity }
        schedule fall;
    }
}

// A section that is written twice.
parts! {
    section_twice {
        components { Position }
        components { Velocity }
    }
}

// A section that parts do not have.
parts! {
    unknown_section {
        component { Position, Velocity }
    }
}

// An entry that depends on a feature.
parts! {
    with_cfg {
        components { Position, #[cfg(feature = "velocity")] Velocity }
    }
}

// A schedule of a library that is included twice in one schedule.
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

fn main() {}
