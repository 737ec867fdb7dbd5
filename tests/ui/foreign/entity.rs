//! Methods of other libraries, called on what `spawn` returns: the id of an entity.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity, ChildOf }
    }
    schedule tick { spawner }
}

#[system(Game)]
fn spawner(mut commands: Commands<Game>, all: Query<Entity, With<Position>>) {
    let _ = commands.spawn(Position(1.0)).id();
    commands.spawn(Position(1.0)).insert(Velocity(0.0)).insert(Velocity(1.0));
    commands.spawn(Position(1.0)).with_children(|parent| {
        parent.spawn(Position(2.0));
    });
    for entity in &all {
        entity.remove::<Velocity>();
        entity.despawn();
    }
}

fn main() {
    let mut game = Game::new();
    let (a, b) = (game.spawn(Position(0.0)), game.spawn(Position(0.0)));
    a.add_child(b);
    println!("{}", a.is_alive());
}
