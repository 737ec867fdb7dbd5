//! A function that receives a cell of the world, as the expansion of a system calls it.
#![forbid(unsafe_code)]
use ecs::prelude::*;
use ecs::__private::{MutTarget, WorldCell};

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

fn whole(cell: WorldCell<'_, Game>) {
    let _ = cell.world_mut();
}

fn each(cell: WorldCell<'_, Game>) {
    <Position as MutTarget<Game, _>>::drive(cell, |position| position.0 = 0.0);
}

fn main() {}
