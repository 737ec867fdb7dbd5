//! A reference to a component that is used after a schedule ran.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick {
        movement;
    }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0));
    let position = game.get::<Position>(ball).unwrap();
    game.tick();
    println!("{}", position.0);
}
