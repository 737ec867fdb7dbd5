//! Members of a bundle that are no components, are not listed or are there twice: each is reported once and at
//! the member, also where others follow.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Unlisted(f32);
struct NoComponent;
#[derive(Bundle)]
struct Ball {
    position: Position,
    other: NoComponent,
}

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { throw }
}

#[system(Game)]
fn throw(mut commands: Commands<Game>) {
    commands.spawn((Position(0.0), 5));
    let ball = commands.spawn(Position(0.0));
    commands.insert(ball, (Velocity(0.0), "fast"));
}

fn main() {
    let mut game = Game::new();
    game.spawn((NoComponent, Position(0.0)));
    game.spawn((Position(0.0), (Velocity(0.0), NoComponent)));
    game.spawn(Ball { position: Position(0.0), other: NoComponent });
    game.spawn((Unlisted(0.0), Position(0.0)));
    game.spawn((Velocity(0.0), Velocity(1.0), Position(0.0)));
    game.tick();
}
