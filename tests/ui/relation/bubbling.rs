//! An event that climbs without `bubble`, and one without `Bubbling`.
use ecs::prelude::*;
use ecs::relation::{Bubbling, bubble};

#[derive(Clone, Event)]
struct Click;

world! {
    struct Resting {
        components { ChildOf }
        events { Bubbling<Click> }
    }
    observers { press } max 16
    schedule tick { send }
}

world! {
    struct Plain {
        components { ChildOf }
        events { Click }
    }
    observers { press, bubble::<Click, ChildOf> } max 16
    schedule tick { send }
}

#[system]
fn press(mut clicks: EventReader<Bubbling<Click>>) {
    println!("{}", clicks.iter().count());
}

#[system]
fn send(entity: Entity, mut clicks: EventWriter<Bubbling<Click>>) {
    clicks.send(Bubbling::new(entity, Click));
}

fn main() {
    Resting::new().tick();
    Plain::new().tick();
}
