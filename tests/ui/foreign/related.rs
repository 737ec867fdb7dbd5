//! Methods that relations have in bevy.
use ecs::prelude::*;

world! {
    struct Game {
        components { ChildOf }
    }
    schedule tick { walk }
}

#[system(Game)]
fn walk(roots: Query<Entity, Without<ChildOf>>, tree: Related<ChildOf>) {
    for root in &roots {
        for child in tree.children(root) {
            println!("{child} {}", tree.parent(child).unwrap());
        }
        tree.iter_descendants(root).for_each(|entity| println!("{entity}"));
    }
}

fn main() {}
