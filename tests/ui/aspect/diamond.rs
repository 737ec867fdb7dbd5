//! Two aspects in an aspect are built from the same aspect.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Default)]
struct Speed(u32);
#[derive(Component, Default)]
struct Mind;

#[derive(Aspect)]
struct Body {
    health: Health,
}

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
struct Monster {
    walker: Walker,
    thinker: Thinker,
}

fn main() {}
