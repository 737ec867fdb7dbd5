//! Several mistakes of one kind (bundle) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);
#[derive(Bundle)]
struct Monster<'a> {
    health: &'a Health,
}
#[derive(Component, Default)]
struct OptionalField {
    max: u32,
}
#[derive(Component, Default)]
struct Position(f32);
#[derive(Bundle)]
struct Body {
    health: OptionalField,
    position: Option<Position>,
}

world! {
    struct Game { components { OptionalField, Position } }
}

// An `Option` among the fields of a bundle.
fn optional_field() {
    let mut game = Game::new();
    game.spawn(Body { health: OptionalField { max: 1 }, position: None });
    game.spawn((Body { health: OptionalField { max: 1 }, position: None }, Position(1.0)));
}

fn main() {}
