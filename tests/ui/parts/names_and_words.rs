//! Misspelt and misplaced names and words around `parts!`: each is one error, and the parts, the
//! schedules and the worlds are there.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Resource)]
struct Wind(f32);

parts! {
    physics {
        components { Position },
        resources { Wind = Wind(1.0) };
        schedules step { fall }
    }
}

// A system that names its parts.
#[system(physics)]
fn fall(position: &mut Position, wind: Res<Wind>) {
    position.0 -= wind.0;
}

mod private {
    use super::*;

    parts! {
        bodies {
            components { Position }
            schedule rest { stop }
        }
    }

    #[system]
    fn stop(position: &mut Position) {
        position.0 = 0.0;
    }
}

// A schedule with a misspelt name.
world! {
    struct Misspelt { include physics; }
    schedule tick { include stepp }
}

// Parts with a misspelt name, whose schedule is included as well.
world! {
    struct MisspeltParts { include phisics; }
    schedule tick { include step }
}

// A schedule behind its parts, as a step.
world! {
    struct Behind { include physics; }
    schedule tick { physics::step }
}

// A schedule that exists nowhere.
world! {
    struct Nowhere { include physics; }
    schedule tick { include simulation }
}

// Private parts and their schedule.
world! {
    struct Outside { include private::bodies; }
    schedule tick { include private::rest }
}

fn main() {
    Misspelt::new().tick();
    MisspeltParts::new().tick();
    Behind::new().tick();
    Nowhere::new().tick();
    Outside::new().tick();
}
