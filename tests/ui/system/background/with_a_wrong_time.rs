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
    schedule tick { plan, plan_at_once, plan_later, plan_twice }
}

#[system(Game, background(after = 3))]
fn plan(positions: Query<&Position>) {
    let _ = positions.len();
}

#[system(Game, background(ticks = 0))]
fn plan_at_once(positions: Query<&Position>) {
    let _ = positions.len();
}

#[system(Game, background(ticks = "3"))]
fn plan_later(positions: Query<&Position>) {
    let _ = positions.len();
}

#[system(Game, background(ticks = 3, when_done))]
fn plan_twice(positions: Query<&Position>) {
    let _ = positions.len();
}

fn main() {}
