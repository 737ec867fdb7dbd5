use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { plan }
}

#[system(Game, background(ticks = 3))]
fn plan(positions: Query<&Position>, mut commands: ParCommands<Game>) {
    commands.spawn(Position(positions.len() as f32));
}

fn main() {}
