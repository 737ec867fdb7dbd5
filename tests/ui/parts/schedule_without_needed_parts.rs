//! A schedule of a library in a world that includes its parts, but not all that they need, and reads an event of its own that it sends.
use ecs::prelude::*;

use parts_library::fire;

world! {
    struct Game {
        include fire::fire;
        include fire::wildfire;
        events { Alarm }
    }
    schedule tick { include fire::spread if calm; raise; hear }
}

#[derive(Event)]
struct Alarm;

#[system(Game)]
fn calm(fires: Query<&fire::Blown>) -> bool {
    fires.is_empty()
}

#[system(Game)]
fn raise(mut alarms: EventWriter<Alarm>) {
    alarms.send(Alarm);
}

#[system(Game)]
fn hear(mut alarms: EventReader<Alarm>) {
    for Alarm in &mut alarms {}
}

fn main() {}
