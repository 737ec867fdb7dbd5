//! Several mistakes of one kind (aspect) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Aspect)]
struct Body {
    health: Health,
}
#[derive(Aspect)]
struct Monster {
    #[aspect]
    body: Body,
}
#[derive(Aspect)]
struct ComponentTwice {
    life: Health,
    health: Health,
}
#[derive(Aspect)]
struct Empty;
#[derive(Aspect)]
enum Enum {
    Rat(Health),
}
#[derive(Aspect)]
struct Lifetime<'a> {
    health: &'a Health,
}
#[derive(Component, Default)]
struct OptionalFieldHealth {
    max: u32,
}
#[derive(Component, Default)]
struct Position(f32);
#[derive(Aspect)]
struct OptionalFieldMonster {
    health: OptionalFieldHealth,
    position: Option<Position>,
}
#[derive(Component, Default)]
struct OverridePathWithItsOwnFieldHealth {
    max: u32,
}
#[derive(Aspect)]
struct OverridePathWithItsOwnFieldMonster {
    #[aspect(health.max = 9)]
    health: OverridePathWithItsOwnFieldHealth,
    position: Position,
}
#[derive(Aspect)]
struct OverrideReplacedByALaterOne {
    #[aspect(.health.max = 9, .health = Health { now: 1, max: 1 })]
    body: Body,
}
#[derive(Aspect)]
struct OverrideWithoutDot {
    #[aspect(health.max = 9)]
    body: Body,
}
#[derive(Aspect)]
struct OverrideWithoutValue {
    #[aspect(.health.max)]
    body: Body,
}

world! {
    struct Game { components { OptionalFieldHealth, Position } }
}

// An `Option` among the fields of an aspect.
fn optional_field() {
    let mut game = Game::new();
    game.spawn(OptionalFieldMonster { health: OptionalFieldHealth { max: 1 }, position: None });
}

fn main() {}
