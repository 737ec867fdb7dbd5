//! An observer with a period, and one that returns something.
use ecs::prelude::*;

#[derive(Event)]
struct Hit;

world! {
    struct Game { events { Hit(external) } }
    observers { watch every 3, count every 2 if playing }
}
world! {
    struct Other { events { Hit(external) } }
    observers max 8 { watch }
}

#[system]
fn watch(mut hits: EventReader<Hit>) {
    hits.iter().count();
}
#[system]
fn count(mut hits: EventReader<Hit>) {
    hits.iter().count();
}
#[system]
fn playing() -> bool {
    true
}

fn main() {}
