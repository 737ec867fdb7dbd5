//! A query struct without fields.
use ecs::prelude::*;

#[derive(Query)]
struct Nothing {}

fn main() {}
