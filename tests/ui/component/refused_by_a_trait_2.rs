//! Several mistakes of one kind (component) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component, PartialEq, PartialOrd)]
#[component(index(ordered))]
struct Speed(f32);
#[derive(Component)]
#[component(index(ordered = mass))]
struct Body {
    mass: f32,
}
#[derive(Component)]
#[component(index(by = Cell))]
struct Position(f32, f32);
#[derive(PartialEq, Eq, Hash)]
struct Cell(i32, i32);

fn main() {}
