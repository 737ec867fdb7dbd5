//! The system `propagate_changed` with a component that neither is tracked nor keeps removed values.
use ecs::prelude::*;
use ecs::relation::{Propagate, propagate_changed};

#[derive(Component)]
struct Offset(i32);
#[derive(Component, Clone)]
struct Place(i32);

impl Propagate for Offset {
    type Combined = Place;
    fn combine(&self, above: Option<&Place>) -> Place {
        Place(above.map_or(0, |above| above.0) + self.0)
    }
}

world! {
    struct Room { components { ChildOf, Offset, Place } }
    schedule frame { propagate_changed::<Offset, ChildOf> }
}

fn main() {}
