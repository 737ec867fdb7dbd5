use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Speed(f32);
#[derive(Resource, Default)]
struct Score(f32);

world! {
    struct Game {
        components { Position, Speed }
        resources { Score }
    }
    schedule tick { movement }
}

#[system(Game, par)]
fn movement(position: &mut Position, mut commands: Commands<Game>) {
    commands.spawn(Position(position.0));
}

fn main() {}
