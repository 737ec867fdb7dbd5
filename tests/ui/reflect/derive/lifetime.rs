//! A type that borrows.
use ecs::prelude::*;

#[derive(Component, Reflect)]
struct Label<'a> {
    text: &'a str,
}

#[derive(Reflect)]
struct Note<'a>(&'a str);

fn main() {}
