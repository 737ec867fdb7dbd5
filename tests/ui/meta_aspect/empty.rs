//! An enum without alternatives.
use ecs::prelude::*;

#[derive(MetaAspect)]
enum Mind {}

fn main() {}
