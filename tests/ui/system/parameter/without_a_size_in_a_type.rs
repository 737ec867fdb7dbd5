//! Slices and trait objects in the types of parameters.
use ecs::prelude::*;
use std::fmt::Debug;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { data, filter, resources, events, local }
}

#[system(Game)]
pub fn data(_: Query<(Entity, &[Position])>, _: Query<&dyn Debug>) {}

#[system(Game)]
pub fn filter(_: Query<&Position, With<[u8]>>) {}

#[system(Game)]
pub fn resources(_: Res<[u8]>, _: ResMut<dyn Debug>) {}

#[system(Game)]
pub fn events(_: EventReader<dyn Debug>) {}

#[system(Game)]
pub fn local(_: Local<[u8]>) {}

fn main() {}
