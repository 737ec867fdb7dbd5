//! Several mistakes of one kind (component) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Velocity(f32);
#[derive(Component)]
#[component(requires("Velocity"))]
struct Position(f32);
#[derive(Component)]
#[component(excludes(Burning(1), Melting))]
struct Frozen;
#[derive(Component)]
#[component(excludes(Frozen,,))]
struct Burning;
#[derive(Component)]
#[component(excludes(Frozen))]
struct Melting;
#[derive(Component)]
#[component(alias("Health" "Life"))]
struct HitPoints(u32);
#[derive(Component, Default)]
#[component(requires(RequiresItself))]
struct RequiresItself(f32);
#[derive(Component)]
#[component(require(Velocity))]
struct UnknownOption(f32);

world! {
    struct Game { components { UnknownOption, Velocity } }
}

fn main() {}
