use std::rc::Rc;

use ecs::prelude::*;

#[derive(Component, Clone)]
struct Position(f32);
#[derive(Resource, Clone, Default)]
#[resource(main_thread)]
struct Window(Rc<String>);

world! {
    #[derive(Clone)]
    struct Game { components { Position } resources { Window } }
    schedule tick { plan }
}

#[system(Game, background(ticks = 3))]
fn plan(positions: Query<&Position>, mut commands: ParCommands<Game>) {
    commands.spawn(Position(positions.len() as f32));
}

fn main() {}
