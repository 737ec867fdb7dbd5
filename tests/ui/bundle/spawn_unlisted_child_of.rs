//! `ChildOf` of the library in a world that does not list it.
use ecs::prelude::*;
use ecs::component::Name;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
}

fn main() {
    let mut game = Game::new();
    let parent = game.spawn(Position(0.0));
    game.spawn(ChildOf(parent));
    game.spawn((Position(0.0), ChildOf(parent)));
    game.insert(parent, Name::new("parent")).ok();
}
