//! Filters in other forms: a component, a sum, and data that is no component.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Player;
#[derive(Component)]
struct Enemy;

world! {
    struct Game { components { Position, Player, Enemy } }
    schedule tick { component, inside, sum, text, optional }
}

#[system(Game)]
fn component(positions: Query<&Position, Enemy>) {
    println!("{}", positions.len());
}

#[system(Game)]
fn inside(positions: Query<&Position, Or<(With<Player>, Enemy)>>) {
    println!("{}", positions.len());
}

#[system(Game)]
fn sum(positions: Query<&Position, With<Player> + Without<Enemy>>) {
    println!("{}", positions.len());
}

#[system(Game)]
fn text(positions: Query<(&Position, &str)>) {
    println!("{}", positions.len());
}

#[system(Game)]
fn optional(positions: Query<(Entity, Option<(&Position, With<Player>)>), Without<Enemy>>) {
    println!("{}", positions.len());
}

fn main() {}
