//! The state of a hook that the component does not have.
use ecs::prelude::*;
use ecs::system::HookState;

#[derive(Component)]
struct Weight(u32);

world! {
    struct Ship {
        components { Weight }
    }
    schedule tick { float }
}

#[system(Ship)]
fn float(_load: HookState<Weight>) {}

fn main() {}
