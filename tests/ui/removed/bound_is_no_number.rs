//! A bound of removed values that is no number.
use ecs::prelude::*;

#[derive(Component, Clone)]
#[component(removed = "many")]
struct Gold(u32);
#[derive(Component, Clone)]
#[component(removed = 0)]
struct Silver(u32);

fn main() {}
