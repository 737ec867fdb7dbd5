use ecs::prelude::*;

#[derive(Component, Default)]
#[component(unique)]
struct Camera;

#[derive(Component)]
#[component(requires(Camera))]
struct Player;

world! {
    struct Game { components { Player, Camera } }
}

fn main() {}
