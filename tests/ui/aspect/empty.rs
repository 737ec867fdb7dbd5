//! An aspect without fields.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Aspect)]
struct Monster;

fn main() {}
