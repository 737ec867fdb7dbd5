//! Several mistakes of one kind (aspect) in one program: rustc reports them as E0308.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Aspect)]
struct Monster {
    #[aspect(default = 9)]
    health: Health,
}
#[derive(Aspect)]
struct Body {
    health: Health,
}
#[derive(Aspect)]
struct OverridesWithAnotherType {
    #[aspect(.health.max = "nine")]
    body: Body,
}

fn main() {}
