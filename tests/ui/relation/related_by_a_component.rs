use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
}

fn main() {
    let mut game = Game::new();
    let entity = game.spawn(Position(0.0));
    let _ = game.sources::<Position>(entity);
}
