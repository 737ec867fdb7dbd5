//! Several mistakes of one kind (system, parameter) in one program: the macros report them.
use ecs::prelude::*;
use std::cell::RefCell;
use std::fmt::Debug;
use std::rc::Rc;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);
#[derive(Resource)]
struct Score(u32);
#[derive(Event)]
struct Hit;

world! {
    struct Game {
        components { Position, Velocity }
        resources { Clock = Clock(0.1), Score = Score(0) }
        events { Hit(external) }
    }
    schedule tick {
        movement, by_value, show, strike, step, all, component_by_value, shared, changed, pointed,
        no_parameter_per_entity, count, reset, restart, add, without_a_size, data, filter,
        resources, events, local, without_arguments, score, drag
    }
    schedule commands_of_every_world_tick { launch; land; leave }
    schedule commands_without_a_world_tick {
        clear, stop; commands_without_a_world, commands_without_a_world_land
    }
}

// A resource of legion.
#[system(Game)]
fn movement(position: &mut Position, #[resource] clock: &Clock) {
    position.0 += clock.0;
}

// Components, resources, events, numbers and collections by value.
#[system(Game)]
fn by_value(position: Position, velocity: &Velocity) {
    println!("{}", position.0 + velocity.0);
}

#[system(Game)]
fn show(score: Score) {
    println!("{}", score.0);
}

#[system(Game)]
fn strike(hits: Hit) {}

#[system(Game)]
fn step(position: &mut Position, step: f32) {
    position.0 += step;
}

#[system(Game)]
fn all(bodies: Vec<(&mut Position, &Velocity)>) {
    for (position, velocity) in bodies {
        position.0 += velocity.0;
    }
}

// `Commands` of one world in a system whose attribute names none.
#[system]
fn launch(mut commands: Commands<Game>) {
    commands.spawn(Position(0.0));
}

#[system]
fn land<W>(mut commands: Commands<W>) {
    commands.spawn(Position(0.0));
}

#[system]
fn leave<W: World>(entity: Entity, mut commands: Commands<W>) {
    commands.despawn(entity);
}

// `Commands` without the world, and of the trait of all worlds.
#[system(Game)]
fn clear(mut commands: Commands, positions: Query<Entity, With<Position>>) {
    for entity in &positions {
        commands.despawn(entity);
    }
}

#[system(Game)]
fn stop(mut commands: Commands<World>, velocities: Query<Entity, With<Velocity>>) {
    for entity in &velocities {
        commands.remove::<Velocity>(entity);
    }
}

#[system]
fn commands_without_a_world(mut commands: Commands) {
    commands.spawn(Position(0.0));
}

#[system]
fn commands_without_a_world_land(mut commands: Commands<World>) {
    commands.spawn(Position(0.0));
}

// A component by value, where a reference to it is meant.
#[system(Game)]
fn component_by_value(position: Position) {
    println!("{}", position.0);
}

// A local that cannot be sent to another thread.
#[system(Game)]
pub fn shared(_: Local<Option<Rc<u8>>>) {}

#[system(Game)]
pub fn changed(_: Local<RefCell<Vec<u8>>>) {}

#[system(Game)]
pub fn pointed(_: Local<Option<*const u8>>) {}

// A type that is no parameter, beside a per-entity parameter.
#[system(Game)]
fn no_parameter_per_entity(position: &mut Position, step: f32) {
    position.0 += step;
}

// The whole world, shared.
#[system(Game)]
fn count(game: &Game) {
    println!("{}", game.entities().len());
}

// `&mut World`: the trait, and not a world.
#[system(Game)]
fn reset(world: &mut World) {
    world.clear();
}

#[system]
fn restart(world: &mut World) {
    world.clear();
}

// Slices and trait objects as parameters.
#[system(Game)]
pub fn add(names: &[u8], position: &mut Position) {
    position.0 += names.len() as f32;
}

#[system(Game)]
pub fn without_a_size(shape: &dyn std::fmt::Debug) {
    println!("{shape:?}");
}

// Slices and trait objects in the types of parameters.
#[system(Game)]
pub fn data(_: Query<(Entity, &[Position])>, _: Query<&dyn Debug>) {}

#[system(Game)]
pub fn filter(_: Query<&Position, With<[u8]>>) {}

#[system(Game)]
pub fn resources(_: Res<[u8]>, _: ResMut<dyn Debug>) {}

#[system(Game)]
pub fn events(_: EventReader<dyn Debug>) {}

#[system(Game)]
pub fn local(_: Local<[u8]>) {}

// Types of the library without their arguments.
#[system(Game)]
fn without_arguments(bodies: Query) {
    for body in &bodies {
        println!("{body:?}");
    }
}

#[system(Game)]
fn score(score: Res) {
    println!("{}", score.0);
}

#[system(Game)]
fn drag(bodies: Query<&mut Velocity, With>) {}

fn main() {}
