//! Several mistakes of one kind (reflect, derive) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component, Reflect)]
#[serde(deny_unknown_fields)]
struct Health {
    #[serde(rename = "value")]
    now: i32,
    #[serde(default = "full")]
    max: i32,
}
#[derive(Component, Reflect)]
struct Label<'a> {
    text: &'a str,
}
#[derive(Reflect)]
struct Note<'a>(&'a str);

// Attributes of serde on a type that derives `Reflect`.
fn full() -> i32 {
    100
}

fn main() {}
