use ecs::prelude::*;
use ecs::SystemParam;

#[derive(Component, Clone)]
struct Position(f32);
#[derive(Resource, Clone, Default)]
struct Map(Vec<f32>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Position }
        resources { Map }
    }
    schedule tick { plan }
}

#[derive(SystemParam)]
struct Seen<'w> {
    bodies: Query<'w, &'static Position>,
    map: Res<'w, Map>,
}

#[system(Game, background(ticks = 3))]
fn plan(seen: Seen) {
    println!("{} {}", seen.bodies.len(), seen.map.0.len());
}

fn main() {}
