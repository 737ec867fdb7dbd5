//! A misspelt component between others is one error, at its name.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Position, Velocty, Frozen }
    }
    schedule tick { movement; report }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity, _: Without<Frozen>) {
    position.0 += velocity.0;
}

#[system(Game)]
fn report(bodies: Query<(Entity, &Position), With<Velocity>>) {
    println!("{}", bodies.iter().count());
}

fn main() {
    let mut game = Game::new();
    game.spawn((Position(0.0), Velocity(1.0)));
    game.tick();
}
