//! An observer that returns something.
use ecs::prelude::*;

#[derive(Event)]
struct Hit;

world! {
    struct Game { events { Hit(external) } }
    observers { watch, count }
}

#[system]
fn watch(mut hits: EventReader<Hit>) -> Result<(), String> {
    hits.iter().next().map(|_| ()).ok_or_else(|| "no hit".to_owned())
}
#[system]
fn count(mut hits: EventReader<Hit>) -> usize {
    hits.iter().count()
}

fn main() {}
