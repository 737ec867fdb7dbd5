//! A generic system that changes a component, scheduled for a tag.
use ecs::prelude::*;

#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Frozen }
    }
    schedule tick {
        clear::<Frozen>;
    }
}

#[system]
fn clear<T: Component>(mut values: Query<&mut T>) {
    println!("{}", values.iter_mut().count());
}

fn main() {}
