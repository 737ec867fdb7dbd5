//! Types with the derive of another section: each is one error, at the list, and is what the list
//! says.
use ecs::prelude::*;

#[derive(Resource, Clone)]
struct Velocity(f32);
#[derive(Component)]
struct Score(u32);
#[derive(Component)]
struct Hit(Entity);
#[derive(Event)]
struct Position(f32);

world! {
    struct Game {
        components { Position, Velocity }
        resources { Score = Score(0) }
        events { Hit(external) }
    }
    schedule tick { movement; report }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

#[system(Game)]
fn report(mut hits: EventReader<Hit>, moving: Query<Entity, With<Velocity>>, mut score: ResMut<Score>) {
    score.0 += hits.iter().count() as u32 + moving.iter().count() as u32;
}

fn main() {
    let mut game = Game::new();
    game.spawn((Position(0.0), Velocity(1.0)));
    game.tick();
}
