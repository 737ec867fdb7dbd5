//! Several mistakes of one kind (component) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Velocity(f32);
#[derive(Component)]
#[require(Velocity(1.0))]
struct Position(f32);
#[derive(Component)]
#[storage(VecStorage)]
struct Health(u32);
#[derive(Component)]
#[relationship(relationship_target = Fans)]
struct Likes(Entity);
#[derive(Component)]
#[relationship_target(relationship = Likes)]
struct Fans(Vec<Entity>);
#[derive(Component)]
#[component(disables())]
struct Stunned;
#[derive(Component)]
#[component(disables = Velocity)]
struct Asleep;
#[derive(Component)]
#[component(excludes(Frozen))]
struct Frozen;
#[derive(Component)]
#[component(hook = |weight| println!("{}", weight.0))]
struct Weight(u32);
#[derive(Component)]
#[component(hook = "Load")]
struct Height(u32);
#[derive(Component)]
#[component(index = "name")]
struct Person {
    name: String,
}
#[derive(Component)]
struct Name<'a>(&'a str);
#[derive(Component)]
#[component(storage = "packed")]
struct Burning;
#[derive(Component, PartialEq, Eq, Hash)]
#[component(key, tracked)]
struct Seat(u32);

fn main() {}
