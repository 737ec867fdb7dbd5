//! A bundle struct without fields.
use ecs::prelude::*;

#[derive(Bundle)]
struct Nobody;

fn main() {}
