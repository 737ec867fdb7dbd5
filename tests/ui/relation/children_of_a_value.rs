//! A relation in place of its constructor, behind which children are listed.
use ecs::prelude::*;

#[derive(Component)]
struct Gold(u32);

world! {
    struct Town {
        components { ChildOf, Gold }
    }
    schedule tick { found }
}

#[system(Town)]
fn found(mut commands: Commands<Town>) {
    let town = commands.spawn(());
    commands.spawn_with_children(Gold(1), ChildOf(town), children![Gold(2) => [Gold(3)]]);
}

fn main() {}
