//! An enum without alternatives.
use ecs::prelude::*;
use ecs::MetaAspect;

#[derive(MetaAspect)]
enum Mind {}

fn main() {}
