//! Listed types without their derive: one error for each, whatever uses them.
use ecs::prelude::*;

#[derive(Clone, Debug)]
struct Position(f32);
#[derive(component)]
struct Velocity(f32);
#[derive(Componet)]
struct Health(f32);
struct Score(u32);
enum Hit {
    Wall,
}

world! {
    struct Game {
        components { Position, Velocity, Health }
        resources { Score = Score(0) }
        events { Hit(external) }
    }
    schedule tick { movement, count }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity, health: &Health) {
    position.0 += velocity.0 * health.0;
}

#[system(Game)]
fn count(mut hits: EventReader<Hit>, mut score: ResMut<Score>) {
    for Hit::Wall in &mut hits {
        score.0 += 1;
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn((Position(0.0), Velocity(1.0)));
    game.send(Hit::Wall);
}
