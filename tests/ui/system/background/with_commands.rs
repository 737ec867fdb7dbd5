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

#[system(Game, background(ticks = 3))]
fn plan(positions: Query<&Position>, mut commands: Commands<Game>) {
    commands.spawn(Position(positions.len() as f32));
}

fn main() {}
