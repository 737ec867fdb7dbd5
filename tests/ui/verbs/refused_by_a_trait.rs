//! Several mistakes of one kind (verbs) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component, Clone)]
struct Team(u8);
#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component, PartialEq, Eq, Hash)]
#[component(key)]
struct Seat(u8);
#[derive(Component)]
struct Frozen;
#[derive(Component)]
struct Mana(u32);
type Power = Mana;
#[derive(Event)]
struct Bumped(u32);
#[derive(Event)]
struct Fell(u32);
#[derive(Component)]
struct Camera(f32);
#[derive(Resource, Default)]
struct Clock(f32);
#[derive(Resource)]
struct Score(u32);

world! {
    struct Game {
        components { Team, Position, Velocity, Seat, Frozen, Camera }
        events { Bumped(external) }
        resources { clock: Clock = Clock::default() }
    }
}

world! {
    struct Menu { components { Position } }
    schedule tick { scroll }
}

// `clone_entity` in a world without `Clone`. One message names the world.
fn clone_entity_of_a_world_that_is_not_clone() {
    let mut game = Game::new();
    let entity = game.spawn(Team(1));
    let _ = game.clone_entity(entity);
}

// `get` of a type that is no component.
fn get_a_type_that_is_no_component() {
    let mut game = Game::new();
    let entity = game.spawn(Position(0.0));
    game.get::<&Position>(entity);
    game.get_mut::<&mut Position>(entity);
    game.get::<(Position, Velocity)>(entity);
}

// `get_mut` of a key, which can only be replaced.
fn get_mut_of_a_key() {
    let mut game = Game::new();
    let entity = game.spawn(Seat(1));
    game.get_mut::<Seat>(entity).unwrap().0 = 2;
}

// `get_mut` of a tag, which has no value.
fn get_mut_tag() {
    let mut game = Game::new();
    let ice = game.spawn(Frozen);
    game.get_mut::<Frozen>(ice);
}

// Changing a component that the world does not have.
fn get_mut_unknown_component() {
    let mut game = Game::new();
    let wizard = game.spawn(Position(0.0));
    if let Some(mana) = game.get_mut::<Mana>(wizard) {
        mana.0 -= 1;
    }
}

// Reading, under another name, a component that the world does not have.
fn get_unknown_component_through_an_alias() {
    let mut game = Game::new();
    let wizard = game.spawn(Position(0.0));
    game.has::<Power>(wizard);
}

// Running a generic system on a world without the component that it needs.
#[system]
fn regenerate(mana: &mut Mana) {
    mana.0 += 1;
}

fn run_generic_system_without_its_component() {
    let mut game = Game::new();
    game.run::<regenerate>();
}

// `run` of a system of another world.
#[system(Menu)]
fn scroll(position: &mut Position) {
    position.0 += 1.0;
}

fn run_system_of_another_world() {
    let mut game = Game::new();
    game.run::<scroll>();
}

// Sending an event that the world does not have.
fn send_unknown_event() {
    let mut game = Game::new();
    game.send(Bumped(1));
    game.send(Fell(1));
}

fn unique_of_a_component_without_the_option() {
    let game = Game::new();
    let _ = game.unique::<Camera>();
}

// Reading a resource that the world does not have.
fn unknown_resource() {
    let game = Game::new();
    game.resource::<Score>();
}

fn main() {}
