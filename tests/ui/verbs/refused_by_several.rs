//! Several mistakes of one kind (verbs) in one program.
use ecs::prelude::*;
use ecs::save::{LoadOptions, Saved};

#[derive(Component, PartialEq, Eq, Hash)]
struct Team(u8);
#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Fuel(f32);
#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Event)]
struct Bumped;

world! {
    struct Game {
        components { Team, Health, Position, Velocity }
        events { Bumped }
    }
    schedule tick { wrong_arguments, send, insert, without_a_world }
}

world! {
    struct Forest { components { Fuel } }
    schedule tick { burn }
}

// `find` of a component without an index.
fn find_without_an_index() {
    let game = Game::new();
    let _ = game.find_one::<Team>(&Team(1));
}

// A component as a value in place of its type.
fn has_of_a_value() {
    let mut game = Game::new();
    let ball = game.spawn(Health(1));
    println!("{}", game.has(ball, Health));
}

// The id of an entity that parallel commands spawn.
#[system(Forest, par)]
fn burn(fuel: &mut Fuel, mut commands: ParCommands<Forest>) {
    let spark = commands.spawn(Fuel(fuel.0));
    commands.insert(spark, Fuel(2.0));
}

fn id_of_a_parallel_spawn() {
    Forest::new().tick();
}

// Loading a world that does not derive `Serialize`.
fn back_up<W: Saved>(_world: &W) {}

fn load_of_an_unsaved_world() {
    let bytes: &[u8] = &[];
    let _ = Game::load(bytes);
    let _ = Game::load_with(bytes, LoadOptions::new());
    let _ = Game::schema();
    back_up(&Game::new());
}

// Running a function without `#[system]`.
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn run_function() {
    let mut game = Game::new();
    game.run::<movement>();
}

// Saving a world that does not derive `Serialize`.
fn save_of_an_unsaved_world() {
    let game = Game::new();
    game.save(Vec::new()).unwrap();
    println!("{:?}", game.to_bytes().unwrap());
    println!("{}", game.hash());
    Game::load(&[]).unwrap();
}

// Components as several arguments, a type as an argument, and an id by reference.
#[system(Game)]
fn wrong_arguments(position: &mut Position) {
    position.0 += 1.0;
}

fn wrong_arguments_main() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0), Velocity(1.0));
    let _ = game.insert(ball, Position(0.0), Velocity(1.0));
    let _ = game.insert::<Position>(ball);
    let _ = game.remove(ball, Position);
    let _ = game.query::<&Position, &Velocity>();
    let _ = game.query::<&Position, With<Velocity>>();
    let _ = game.queries::<&mut Position>();
    let _ = game.despawn(&ball);
    game.run(wrong_arguments);
    game.enable(wrong_arguments, false);
    game.spawn_batch((Position(0.0), Velocity(1.0)));
    let _ = Schedule::<Game>::new();
}

// Commands without the world, without the entity, and with an event that is none.
#[system(Game)]
fn send(mut commands: Commands<Game>) {
    commands.send(Position(0.0));
}

#[system(Game)]
fn insert(mut commands: Commands<Game>) {
    commands.insert(Position(0.0));
}

#[system(Game)]
fn without_a_world(mut commands: Commands) {
    commands.spawn(Position(0.0));
}

fn main() {}
