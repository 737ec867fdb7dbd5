//! Attributes that components have in bevy and specs.
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

fn main() {}
