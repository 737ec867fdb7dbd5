//! Methods that queries have in bevy and hecs.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Position, Frozen }
    }
    schedule tick { collide }
}

#[system(Game)]
fn collide(mut bodies: Query<(Entity, &mut Position)>) {
    for [(a, p), (b, q)] in bodies.iter_combinations_mut() {
        println!("{a} {b} {}", p.0 - q.0);
    }
    for [(a, p), (b, q)] in bodies.iter_combinations::<2>() {
        println!("{a} {b} {}", p.0 - q.0);
    }
    bodies.par_iter_mut().for_each(|(_, mut position)| position.0 = 0.0);
    if let Ok((_, position)) = bodies.get_single() {
        println!("{}", position.0);
    }
    bodies.for_each_mut(|(_, position)| position.0 = 0.0);
}

fn main() {
    let game = Game::new();
    for position in game.query::<&Position>().with::<&Frozen>().iter() {
        println!("{}", position.0);
    }
    for position in game.query::<&Position>().without::<&Frozen>() {
        println!("{}", position.0);
    }
}
