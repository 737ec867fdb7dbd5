//! A field with a reference.
use ecs::prelude::*;

#[derive(Component, Reflect)]
struct Label {
    text: &'static str,
    #[reflect(skip)]
    kind: &'static str,
}

#[derive(Reflect)]
enum Mood {
    Happy,
    Sad(Option<&'static [u8]>),
}

fn main() {}
