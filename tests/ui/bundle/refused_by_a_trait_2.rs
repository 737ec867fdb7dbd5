//! Several mistakes of one kind (bundle) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::component::Name;

#[derive(Component)]
struct Position(f32);
#[derive(Bundle)]
struct Monster {
    position: Position,
    name: String,
}
type Place = Position;
#[derive(Bundle)]
struct Line {
    from: Position,
    to: Place,
}
#[derive(Component)]
struct Mana(u32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Bundle)]
struct Wizard {
    position: Position,
    mana: Mana,
}
#[derive(Bundle)]
struct Ball {
    position: Position,
    velocity: Velocity,
}

world! {
    struct Game { components { Position, Velocity } }
}

// A number, and the name of a component in place of a value: one error for each.
fn insert_no_value() {
    let mut game = Game::new();
    let entity = game.spawn(());
    game.insert(entity, 5).unwrap();
    game.insert(entity, Position).unwrap();
}

// A bundle struct with a field of a type that is no component.
fn field_is_no_component() {
    let mut game = Game::new();
    game.spawn(Monster { position: Position(0.0), name: String::new() });
}

// A bundle struct with two fields of one component, the second under another name.
fn fields_of_one_type_through_an_alias() {
    let mut game = Game::new();
    game.spawn(Line { from: Position(0.0), to: Position(1.0) });
}

// Inserting a component that the world does not have.
fn insert_unknown_component() {
    let mut game = Game::new();
    let wizard = game.spawn(Position(0.0));
    let _ = game.insert(wizard, Mana(3));
}

// Removing a component that the world does not have.
fn remove_unknown_component() {
    let mut game = Game::new();
    let wizard = game.spawn(Position(0.0));
    let _ = game.remove::<Mana>(wizard);
}

// Spawning many entities with a component that the world does not have.
fn spawn_batch_unknown_component() {
    let mut game = Game::new();
    game.spawn_batch((0..8).map(|i| (Position(0.0), Mana(i))));
}

// Spawning columns from rows.
fn spawn_columns_of_rows() {
    let mut game = Game::new();
    game.spawn_columns(vec![(Position(0.0), Velocity(1.0))]);
}

// Spawning two columns of one component.
fn spawn_columns_twice() {
    let mut game = Game::new();
    game.spawn_columns((vec![Position(0.0)], [Position(1.0)]));
}

// Spawning columns of a component that the world does not have.
fn spawn_columns_unknown_component() {
    let mut game = Game::new();
    game.spawn_columns((vec![Position(0.0)], vec![Mana(3)]));
}

// Spawning a value of a type without `derive(Component)`.
fn spawn_no_component() {
    let mut game = Game::new();
    game.spawn((Position(0.0), "rat"));
}

// Spawning the type of a component instead of a value.
fn spawn_type_instead_of_value() {
    let mut game = Game::new();
    game.spawn(Position);
}

// Spawning a component that the world does not have.
fn spawn_unknown_component() {
    let mut game = Game::new();
    game.spawn(Mana(3));
}

// Spawning a bundle struct with a component that the world does not have.
fn spawn_unknown_component_in_a_struct() {
    let mut game = Game::new();
    game.spawn(Wizard { position: Position(0.0), mana: Mana(3) });
}

// Spawning a tuple with a component that the world does not have.
fn spawn_unknown_component_in_a_tuple() {
    let mut game = Game::new();
    game.spawn((Position(0.0), Mana(3)));
}

// `ChildOf` of the library in a world that does not list it.
fn spawn_unlisted_child_of() {
    let mut game = Game::new();
    let parent = game.spawn(Position(0.0));
    game.spawn(ChildOf(parent));
    game.spawn((Position(0.0), ChildOf(parent)));
    game.insert(parent, Name::new("parent")).ok();
}

// A component that is in a bundle struct, and beside it once more.
fn twice_beside_a_struct() {
    let mut game = Game::new();
    let ball = Ball { position: Position(0.0), velocity: Velocity(1.0) };
    game.spawn((ball, Velocity(2.0)));
}

// A component that is twice in a bundle, once in a nested tuple.
fn twice_in_a_nested_tuple() {
    let mut game = Game::new();
    game.spawn((Position(0.0), (Velocity(1.0), (Position(2.0),))));
}

// A component that is twice in a tuple that is inserted.
fn twice_when_inserted() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0));
    let _ = game.insert(ball, (Position(1.0), Position(2.0)));
}

fn main() {}
