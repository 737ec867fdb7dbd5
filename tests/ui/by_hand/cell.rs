//! A function that receives a cell of the world, as the expansion of `clone_entity` calls it.
#![forbid(unsafe_code)]
use ecs::prelude::*;
use ecs::__private::WorldCell;
use ecs::world::CloneEntity;

#[derive(Component, Clone)]
struct Position(f32);

world! {
    #[derive(Clone)]
    struct Game {
        components { Position }
    }
}

fn keep(cell: WorldCell<'_, Game>, from: Entity, to: Entity) {
    (<Game as CloneEntity>::CLONES[0].unwrap())(cell, from, to);
}

fn put(cell: WorldCell<'_, Game>) {
    ecs::__private::BundleComponents::put(ecs::__private::OneComponent(Position(0.0)), cell, 0);
    ecs::__private::clone_component::<Game, Position>(cell, Entity::from_bits(1 << 32).unwrap(), Entity::from_bits(1 << 32).unwrap());
}

fn main() {}
