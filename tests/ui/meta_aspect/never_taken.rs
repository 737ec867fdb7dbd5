//! An alternative with all components of an earlier one.
use ecs::prelude::*;
use ecs::{Aspect, MetaAspect};

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Default)]
struct Speed(u32);

#[derive(Aspect)]
struct Runner {
    speed: Speed,
    health: Health,
}

#[derive(MetaAspect)]
enum Mind {
    Strong(Health),
    Running(Runner),
}

fn main() {}
