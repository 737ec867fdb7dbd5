//! Several mistakes of one kind (system, background) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component, Clone)]
struct Position(f32);
#[derive(Resource, Clone, Default)]
struct Map(Vec<f32>);
#[derive(Event, Clone)]
struct Bumped;
type Changing<'w> = Query<'w, &'static mut Position>;
#[derive(SystemParam)]
struct Seen<'w> {
    bodies: Query<'w, &'static Position>,
    map: Res<'w, Map>,
}

world! {
    #[derive(Clone)]
    struct Game {
        components { Position }
        resources { Map }
        events { Bumped(external) }
    }
    schedule tick { plan, fails_in_a_schedule_without_result, with_a_struct_of_parameters }
}

#[system(Game, background(ticks = 3))]
fn plan(mut positions: Changing<'_>) {
    positions.iter_mut().for_each(|position| position.0 += 1.0);
}

#[system(Game, background(ticks = 3))]
fn fails_in_a_schedule_without_result(positions: Query<&Position>) -> Result<(), String> {
    if positions.is_empty() { Err("nobody".to_owned()) } else { Ok(()) }
}

#[system(Game, background(ticks = 3))]
fn with_a_struct_of_parameters(seen: Seen) {
    println!("{} {}", seen.bodies.len(), seen.map.0.len());
}

fn main() {}
