//! Types of bevy, hecs, specs, legion and shipyard in the parameters of systems.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Score(u32);
#[derive(Event)]
struct Hit(u32);
#[derive(States)]
enum Screen {
    Menu,
    Play,
}

world! {
    struct Game {
        components { Position, Velocity }
        resources { Score = Score(0), State<Screen> = State::new(Screen::Menu) }
        events { Hit(external) }
    }
    schedule tick { start, drift, welcome, count, clear, jump, lend, sort }
}

#[system(Game)]
fn start(mut next: ResMut<NextState<Screen>>) {
    next.set(Screen::Play);
}

#[system(Game)]
fn drift(mut positions: ViewMut<Position>, velocities: View<Velocity>) {
    for (position, velocity) in (&mut positions, &velocities).iter() {
        position.0 += velocity.0;
    }
}

#[system(Game)]
fn welcome(new: Query<Entity, (With<Position>, Spawned)>) {
    println!("{}", new.len());
}

#[system(Game)]
fn count(positions: Query<&Position>, mut score: Write<Score>) {
    score.0 = positions.len() as u32;
}

#[system(Game)]
fn clear(mut hits: ResMut<Events<Hit>>) {
    for hit in hits.drain() {
        println!("{}", hit.0);
    }
}

#[system(Game)]
fn jump(keys: Res<ButtonInput<KeyCode>>) {
    println!("{}", keys.just_pressed(KeyCode::Space));
}

#[system(Game)]
fn lend(children: Query<&Children, With<Position>>) {
    println!("{}", children.len());
}

#[system(Game)]
fn sort(added: On<Add, Position>) {
    println!("{}", added.entity);
}

fn main() {}
