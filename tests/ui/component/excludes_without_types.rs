//! `excludes` without a list in parentheses.

use ecs::prelude::*;

#[derive(Component)]
#[component(excludes = Burning)]
struct Frozen;

fn main() {}
