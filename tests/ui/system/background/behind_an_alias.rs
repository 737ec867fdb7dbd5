use ecs::prelude::*;

#[derive(Component, Clone)]
struct Position(f32);
#[derive(Resource, Clone, Default)]
struct Map(Vec<f32>);
#[derive(Event, Clone)]
struct Bumped;

world! {
    #[derive(Clone)]
    struct Game {
        components { Position }
        resources { Map }
        events { Bumped(external) }
    }
    schedule tick { plan }
}

type Changing<'w> = Query<'w, &'static mut Position>;

#[system(Game, background(ticks = 3))]
fn plan(mut positions: Changing<'_>) {
    positions.iter_mut().for_each(|position| position.0 += 1.0);
}

fn main() {}
