//! An aspect without fields.
use ecs::prelude::*;

#[derive(Aspect)]
struct Monster;

fn main() {}
