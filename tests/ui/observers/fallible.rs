//! An observer that returns a `Result`.
use ecs::prelude::*;

#[derive(Component)]
#[component(tracked)]
struct Health(i32);
#[derive(Event)]
struct Hit(i32);

world! {
    struct Game {
        components { Health }
        events { Hit(external) }
    }
    observers { wound }
}

#[system(Game)]
fn wound(mut hits: EventReader<Hit>) -> Result<(), std::fmt::Error> {
    hits.clear();
    Ok(())
}

fn main() {}
