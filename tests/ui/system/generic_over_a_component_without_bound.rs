//! A generic system that changes a component which may be a tag.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}


#[system(W)]
fn clear<W: World + Has<T>, T: Component>(mut values: Query<&mut T>) {
    println!("{}", values.iter_mut().count());
}

fn main() {}
