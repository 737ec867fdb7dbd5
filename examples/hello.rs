//! The smallest whole program: a world, a system, a schedule.

use ecs::prelude::*;

#[derive(Component)]
struct Position([f32; 2]);

#[derive(Component)]
struct Velocity([f32; 2]);

world! {
    struct Game {
        components { Position, Velocity }
    }
    schedule tick { movement; report }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0[0] += velocity.0[0];
    position.0[1] += velocity.0[1];
}

#[system(Game)]
fn report(bodies: Query<(Entity, &Position)>) {
    for (entity, position) in &bodies {
        println!("{entity} is at {:?}", position.0);
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn((Position([0.0, 0.0]), Velocity([1.0, 0.5])));
    game.spawn(Position([9.0, 9.0])); // no velocity: `movement` does not match it
    for _ in 0..3 {
        game.tick();
    }
}
