//! Several mistakes of one kind (aspect) in one program: constants refuse them.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Default)]
struct Speed(u32);
#[derive(Aspect)]
struct Body {
    health: Health,
}
#[derive(Aspect)]
struct Armour {
    speed: Speed,
    health: Health,
}
#[derive(Aspect)]
struct Monster {
    body: Body,
    armour: Armour,
}
type Life = Health;
#[derive(Aspect)]
struct ComponentTwiceThroughAnAlias {
    health: Health,
    life: Life,
}
#[derive(Component, Default)]
struct Mind;
#[derive(Aspect)]
struct Walker {
    body: Body,
    speed: Speed,
}
#[derive(Aspect)]
struct Thinker {
    body: Body,
    mind: Mind,
}
#[derive(Aspect)]
struct Diamond {
    walker: Walker,
    thinker: Thinker,
}
#[derive(Aspect)]
struct Pair<A, B> {
    left: A,
    right: B,
}
#[derive(Aspect)]
struct TwiceInAGenericAspect {
    pair: Pair<Health, Health>,
}

fn main() {}
