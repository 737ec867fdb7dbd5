//! Steps whose systems stand in the same file, so that the message is a short one: an input without
//! its value, and a system of a component that is named with something else.
use ecs::prelude::*;

#[derive(Component)]
struct Fire(u32);
#[derive(Resource, Default)]
struct Wood;
#[derive(Event)]
struct Lit;

world! {
    struct Game {
        components { Fire }
        resources { Wood }
        events { Lit(external) }
    }
    schedule tick { burn, report::<Wood>, spread::<Fire, Lit>, fall if is_below }
}

#[system(Game)]
fn burn(by: In<u32>, fire: &mut Fire) {
    fire.0 += *by;
}

#[system(Game)]
fn report<T: Component>(all: Query<&T>) {
    println!("{}", all.len());
}

#[system(Game)]
fn spread<A: Component, B: Component>(all: Query<(&A, &B)>) {
    println!("{}", all.len());
}

#[system(Game)]
fn fall(fire: &mut Fire) {
    fire.0 -= 1;
}

#[system(Game)]
fn is_below(limit: In<u32>, fires: Query<&Fire>) -> bool {
    fires.iter().all(|fire| fire.0 < *limit)
}

fn main() {
    Game::default().tick();
}
