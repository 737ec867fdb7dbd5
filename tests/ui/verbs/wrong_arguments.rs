//! Components as several arguments, a type as an argument, and an id by reference.
use ecs::prelude::*;
use ecs::Schedule;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0), Velocity(1.0));
    let _ = game.insert(ball, Position(0.0), Velocity(1.0));
    let _ = game.insert::<Position>(ball);
    let _ = game.remove(ball, Position);
    let _ = game.query::<&Position, &Velocity>();
    let _ = game.query::<&Position, With<Velocity>>();
    let _ = game.queries::<&mut Position>();
    let _ = game.despawn(&ball);
    game.run(movement);
    game.enable(movement, false);
    game.spawn_batch((Position(0.0), Velocity(1.0)));
    let _ = Schedule::<Game>::new();
}
