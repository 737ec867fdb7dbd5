//! Several mistakes of one kind (parts) in one program: constants refuse them.
use ecs::prelude::*;
use parts_library::fire;
use parts_library::pool;

#[derive(Component)]
struct Mana;
impl pool::Supply for Mana {
    const GAIN: u32 = 5;
}
#[derive(Event)]
struct Alarm;
#[derive(Resource)]
pub struct Clock(f32);

world! {
    struct Game {
        events { Alarm }
        include pool::pool;
        include fire::fire;
        include fire::wildfire;
    }
    schedule tick { include pool::refill::<Mana> }
    schedule schedule_without_needed_parts_tick { include fire::spread if calm; raise; hear }
}

// A schedule of a library in a world that includes its parts, but not all that they need, and reads
// an event of its own that it sends.
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

// A system of the library whose parameters clash.
parts! {
    pub physics {
        resources { clock: Clock }
        schedule step { wind }
    }
}

#[system]
pub fn wind(mut clock: ResMut<Clock>, other: Res<Clock>) {
    clock.0 += other.0;
}

fn main() {}
