//! Events: every reader sees every event once; conditions decide whether a system runs.

use ecs::prelude::*;

#[derive(Component)]
struct Position(i32);

#[derive(Event)]
struct Arrived(Entity);

/// Sent from outside the systems.
#[derive(Event)]
struct Key(char);

#[derive(Resource, Default)]
struct Paused(bool);

world! {
    struct Game {
        components { Position }
        resources  { paused: Paused = Paused::default() }
        events     { Arrived, Key(external, keep = 16) } // keeps the newest 16 unread keys
    }
    schedule tick {
        toggle;
        walk, greet if !paused;
    }
}

#[system(Game)]
fn toggle(mut keys: EventReader<Key>, mut paused: ResMut<Paused>) {
    for Key(key) in &mut keys {
        paused.0 ^= *key == 'p';
    }
}

#[system(Game)]
fn paused(paused: Res<Paused>) -> bool {
    paused.0
}

#[system(Game)]
fn walk(mut bodies: Query<(Entity, &mut Position)>, mut arrived: EventWriter<Arrived>) {
    for (entity, position) in &mut bodies {
        position.0 += 1;
        if position.0 == 3 {
            arrived.send(Arrived(entity));
        }
    }
}

/// A `Local` keeps its value between runs.
#[system(Game)]
fn greet(mut arrived: EventReader<Arrived>, mut greeted: Local<u32>) {
    for Arrived(entity) in &mut arrived {
        *greeted += 1;
        println!("welcome {entity}, you are number {}", *greeted);
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn(Position(0));
    game.spawn(Position(1));
    for turn in 1..=5 {
        println!("turn {turn}");
        game.tick();
        if turn == 2 {
            game.send(Key('p')); // pauses `greet` until the key is pressed again
        }
        if turn == 3 {
            game.send(Key('p'));
        }
    }
}
