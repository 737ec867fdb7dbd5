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
}

#[system(Game, par, background(ticks = 3))]
fn plan(position: &Position, mut commands: ParCommands<Game>) {
    let x = position.0;
    commands.run(move |game| game.resource_mut::<Map>().0.push(x));
}

fn main() {}
