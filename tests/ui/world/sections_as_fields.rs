//! Sections as fields, and entries with fields.

use ecs::prelude::*;

#[derive(Component)]
struct Ship;
#[derive(Event)]
struct Hit {
    damage: u32,
}

world! {
    struct Fields {
        components: { Ship },
    }
    schedule tick { sail_with_fields }
}

#[system(Fields)]
fn sail_with_fields(_: &Ship) {}

world! {
    struct Listed { events { Hit { damage: u32 } } }
    schedule tick { hurt }
}

#[system(Listed)]
fn hurt(mut hits: EventReader<Hit>, mut more: EventWriter<Hit>) {
    hits.iter().for_each(|hit| more.send(Hit { damage: hit.damage }));
}

fn main() {
    Fields::new().tick();
    Listed::new().tick();
}
