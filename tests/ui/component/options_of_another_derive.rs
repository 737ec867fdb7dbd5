//! Attributes of derives that the type does not have.
use ecs::prelude::*;

#[derive(Component)]
#[resource(skip)]
struct Position(f32);
#[derive(Component)]
#[event(hidden)]
struct Velocity(f32);
#[derive(Resource)]
#[component(tracked)]
struct Score(u32);
#[derive(Event)]
#[component(tracked)]
struct Hit(u32);
#[derive(Bundle)]
#[component(tracked)]
struct Body {
    position: Position,
    velocity: Velocity,
}

world! {
    struct Game {
        components { Position, Velocity }
        resources { Score = Score(0) }
        events { Hit(external) }
    }
    schedule tick { movement, hit }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

#[system(Game)]
fn hit(mut hits: EventReader<Hit>, mut score: ResMut<Score>) {
    score.0 += hits.iter().map(|hit| hit.0).sum::<u32>();
}

fn main() {
    let mut game = Game::new();
    game.spawn(Body { position: Position(0.0), velocity: Velocity(1.0) });
    game.tick();
}
