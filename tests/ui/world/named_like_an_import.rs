//! A world with the name of something that its module imports is one error of the compiler.
use std::collections::BTreeMap as Town;

use ecs::prelude::*;

#[derive(Component)]
struct Gold(u32);

world! {
    struct Town { components { Gold } }
    schedule tick { count }
}

#[system]
fn count(gold: Query<&Gold>) {
    println!("{}", gold.len());
}

fn main() {}
