//! Several mistakes of one kind (component) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
#[component(excludes = Burning)]
struct Frozen;
#[derive(Component)]
#[component(on_add = hello)]
struct Position(f32);
#[derive(Component)]
#[component(hook)]
struct Weight(u32);
#[derive(Component)]
#[component(hook(Load))]
struct Volume(u32);
#[derive(Component)]
#[component(index(name))]
struct Named {
    name: u32,
}
#[derive(Component)]
#[component(tracked(true), unique = true)]
struct Player(u32);
#[derive(Component)]
#[component(removed(3))]
struct Mana(u32);
#[derive(Relation)]
#[relation(exclusive(true))]
struct Likes(Entity);
#[derive(Component)]
#[component(storage = "SparseSet")]
struct Burning(u32);

world! {
    struct Game { components { Position } }
}

// Hooks as options of other libraries.
fn hello() {}

fn main() {}
