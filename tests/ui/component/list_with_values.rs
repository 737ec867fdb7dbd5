//! Lists in options with values, empty places and without commas.
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

fn main() {}
