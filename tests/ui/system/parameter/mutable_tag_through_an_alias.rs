//! A tag that a per-entity system borrows mutably under another name.
use ecs::prelude::*;

#[derive(Component)]
struct Frozen;
type Ice = Frozen;

world! {
    struct Game { components { Frozen } }
    schedule tick { thaw }
}

#[system(Game)]
fn thaw(ice: &mut Ice) {
    let _ = ice;
}

fn main() {}
