//! Several mistakes of one kind (bundle) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Health(u32);
#[derive(Bundle)]
struct Body {
    position: Position,
}
#[derive(Bundle)]
struct Monster {
    body: Body,
    position: Position,
    health: Health,
}
#[derive(Component, Default)]
struct TwiceThroughAnAlias(f32);
type Place = TwiceThroughAnAlias;

world! {
    struct Game { components { Position, Health, TwiceThroughAnAlias } }
}

// A bundle struct that holds a component which a nested bundle struct holds too.
fn nested_structs_share_a_component() {
    let mut game = Game::new();
    game.spawn(Monster {
        body: Body { position: Position(0.0) },
        position: Position(0.0),
        health: Health(3),
    });
}

// A component that is twice in a spawned tuple, once under another name.
fn twice_through_an_alias() {
    let mut game = Game::new();
    game.spawn((TwiceThroughAnAlias(0.0), Place::default()));
}

fn main() {}
