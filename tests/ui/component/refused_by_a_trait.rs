//! Several mistakes of one kind (component) in one program: traits refuse them.
use ecs::prelude::*;
use std::rc::Rc;

#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
#[component(disables(Velocity))]
struct Stunned;
#[derive(Component)]
#[component(excludes(Burning))]
struct Frozen;
#[derive(Component)]
struct Burning;
#[derive(Component)]
struct Shared<T>(T);
#[derive(Component)]
#[component(hook = Load)]
struct Weight(u32);
#[derive(Clone, Default)]
struct Load {
    sum: u32,
}
#[derive(Component)]
#[component(index)]
struct Cell(i32, i32);
#[derive(Component)]
struct Sprite(Rc<[u8]>);
#[derive(Component, Default)]
struct RequiresAComponentNotInTheWorld(f32);
#[derive(Component)]
#[component(requires(RequiresAComponentNotInTheWorld))]
struct Position(f32);
#[derive(Component)]
#[component(requires(Velocity))]
struct RequiresWithoutDefault(f32);

world! {
    struct Game {
        components { Stunned, Frozen, Burning, shared: Shared<Rc<u8>>, Sprite, Position }
    }
}

world! {
    struct Ship { components { Weight } }
}

world! {
    struct RequiresWithoutDefaultGame { components { RequiresWithoutDefault, Velocity } }
}

fn main() {}
