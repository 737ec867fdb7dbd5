//! Methods that queries have in bevy and hecs.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Frozen;
#[derive(Resource)]
struct Leader(Option<Entity>);

world! {
    struct Game {
        components { Position, Frozen }
        resources  { leader: Leader }
    }
    schedule tick { collide }
}

#[system(Game)]
fn collide(mut bodies: Query<(Entity, &mut Position)>, leader: Res<Leader>) {
    let Some(leader) = leader.0 else { return };
    if let Some(position) = bodies.get_component::<Position>(leader) {
        println!("{}", position.0);
    }
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
    if let Some(position) = bodies.get_component_mut::<Position>(leader) {
        position.0 = 1.0;
    }
    bodies.for_each_mut(|(_, position)| position.0 = 0.0);
}

fn main() {
    let mut game = Game::new(Leader(None));
    let [a, b] = game.spawn_batch([Position(0.0), Position(1.0)]).collect::<Vec<_>>()[..] else { return };
    if let Ok([a, b]) = game.get_many_mut::<Position>([a, b]) {
        core::mem::swap(a, b);
    }
    for position in game.query::<&Position>().with::<&Frozen>().iter() {
        println!("{}", position.0);
    }
    for position in game.query::<&Position>().without::<&Frozen>() {
        println!("{}", position.0);
    }
}
