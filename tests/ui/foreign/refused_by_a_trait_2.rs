//! Several mistakes of one kind (foreign) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::time::{Clock, Timer};

#[derive(Event)]
struct Bumped(u32);
#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Frozen;
#[derive(Resource)]
struct Leader(Option<Entity>);

world! {
    struct Game {
        events { Bumped }
        components { Position, Frozen }
        resources { leader: Leader, Clock = Clock::new() }
    }
    schedule tick { bump, hear, collide, wait }
}

// Methods that readers and writers of events have in bevy.
#[system(Game)]
fn bump(mut bumps: EventWriter<Bumped>) {
    bumps.write(Bumped(1));
    bumps.send_batch([Bumped(2)]);
}

#[system(Game)]
fn hear(mut bumps: EventReader<Bumped>) {
    for bump in bumps.read() {
        println!("{}", bump.0);
    }
    let last = bumps.drain().last().map(|bump| bump.0);
    println!("{last:?}");
}

// Methods that queries have in bevy and hecs.
#[system(Game)]
fn collide(mut bodies: Query<(Entity, &mut Position)>, leader: Res<Leader>) {
    let Some(leader) = leader.0 else { return };
    if let Some(position) = bodies.get_component::<Position>(leader) {
        println!("{}", position.0);
    }
    for [(a, p), (b, q)] in bodies.iter_combinations_mut() {
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

fn query() {
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

// Times as numbers, and methods of clocks and timers in bevy.
#[system(Game)]
fn wait(clock: Res<Clock>) {
    let mut timer = Timer::once(clock.delta());
    println!("{}", clock.delta_secs() * 2.0);
    println!("{}", timer.just_finished());
}

fn main() {}
