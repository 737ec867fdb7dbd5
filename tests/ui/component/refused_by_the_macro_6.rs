//! Several mistakes of one kind (component) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, PartialOrd, Ord)]
#[component(index(order))]
struct Score(u32);
#[derive(Component, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[component(index, index(ordered))]
struct Speed(u32);
#[derive(Component, PartialEq, Eq, PartialOrd, Ord)]
#[component(ordered)]
struct Age(u32);
#[derive(Component, PartialEq, Eq, PartialOrd, Ord)]
#[component(index(ordered), key)]
struct Rank(u32);
#[derive(Component)]
#[component(index(ordered = due, by = Minute))]
struct Timer {
    due: u32,
}
#[derive(Component)]
#[component(index(ordered = deu))]
struct Alarm {
    due: u32,
}
#[derive(Component)]
#[component(index(by = cell))]
struct Position(f32);
#[derive(Component)]
#[component(index(by))]
struct Place(f32);
#[derive(Component, PartialEq, Eq, PartialOrd, Ord)]
#[component(index(ordered))]
struct Leader;

impl Position {
    fn cell(&self) -> i32 {
        self.0 as i32
    }
}

fn main() {}
